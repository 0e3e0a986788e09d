"use strict";
for (const pair of document.querySelectorAll(".pair")) {
  const videos = [...pair.querySelectorAll("video")];
  const player = pair.querySelector(".player");
  const button = player.querySelector("button");
  const slider = player.querySelector("input");
  const cursor = pair.querySelector(".cursor");
  const mark = () => {
    const duration = longest().duration;
    if (cursor && duration) cursor.setAttribute("transform", `translate(${300 * longest().currentTime / duration} 0)`);
  };
  const longest = () => videos.reduce((a, b) => ((b.duration || 0) > (a.duration || 0) ? b : a));
  let playing = false;
  const seek = (time) => {
    for (const video of videos) video.currentTime = Math.min(time, video.duration || 0);
  };
  const show = () => {
    button.textContent = playing ? "Pause" : "Play";
    const duration = longest().duration;
    if (duration) slider.value = longest().currentTime / duration;
    mark();
  };
  const pause = () => {
    playing = false;
    for (const video of videos) video.pause();
    show();
  };
  const play = () => {
    if (longest().ended) seek(0);
    playing = true;
    for (const video of videos) if (!video.ended) video.play().catch(pause);
    requestAnimationFrame(follow);
  };
  // The longest video is the clock; the shorter one rests on its last picture.
  const follow = () => {
    if (!playing) return;
    const clock = longest();
    for (const video of videos) {
      const due = Math.min(clock.currentTime, video.duration || 0);
      if (video !== clock && Math.abs(video.currentTime - due) > 0.1) video.currentTime = due;
    }
    if (clock.ended) pause();
    else { show(); requestAnimationFrame(follow); }
  };
  button.addEventListener("click", () => (playing ? pause() : play()));
  const load = () => {
    for (const video of videos) {
      if (video.preload === "none") { video.preload = "auto"; video.load(); }
    }
  };
  for (const video of videos) video.addEventListener("seeked", mark);
  new IntersectionObserver((seen, observer) => {
    if (seen.some((one) => one.isIntersecting)) { observer.disconnect(); load(); }
  }, { rootMargin: "200px" }).observe(pair);
  slider.addEventListener("input", () => {
    const time = slider.value * (longest().duration || 0);
    pause();
    seek(time);
    slider.value = time / (longest().duration || 1);
  });
  player.hidden = false;
}
