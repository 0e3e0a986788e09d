for (const form of document.querySelectorAll(".filters")) {
  const articles = [...document.querySelectorAll("article.task")];
  const texts = articles.map((article) => article.textContent.toLowerCase());
  const told = form.querySelector("output");
  const show = () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    articles.forEach((article, k) => {
      const fits = (name) => !form.elements[name].value || article.dataset[name] === form.elements[name].value;
      article.hidden = !(fits("level") && fits("preference") && words.every((word) => texts[k].includes(word)));
      count += !article.hidden;
    });
    told.textContent = `${count} of ${articles.length} tasks`;
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  show();
}
