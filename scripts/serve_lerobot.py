"""Serve a LeRobot checkpoint to `perm evaluate policy=lerobot`, over openpi's protocol.

Runs in LeRobot's own environment, which perm need not be installed in:

    pip install lerobot==0.4.4 msgpack websockets     # Python 3.11; 0.6.1 on Python 3.12
    python serve_lerobot.py CHECKPOINT --port 8000

CHECKPOINT is a folder that `save_pretrained` wrote, with the policy's processors, or a name on the
Hub. The request's images go to the checkpoint's visual features in their order (see --image and
--wrist), resized if the checkpoint has another size; every reply is a whole chunk.
"""

import argparse
import asyncio
import logging
import traceback
from collections.abc import Sequence
from typing import Any

import msgpack
import numpy as np
import torch
from lerobot.configs.policies import PreTrainedConfig
from lerobot.configs.types import FeatureType
from lerobot.policies.factory import get_policy_class, make_pre_post_processors
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

STATE = "observation.state"
IMAGES = ("observation/image", "observation/wrist_image")


class Checkpoint:
    """A policy with its processors."""

    def __init__(self, path: str, device: str, images: Sequence[str | None], seed: int) -> None:
        """Load it, and find where the pictures go."""
        config = PreTrainedConfig.from_pretrained(path)
        config.device = device
        policy = get_policy_class(config.type).from_pretrained(path, config=config)
        self.kind, self._policy, self._seed, self._device = config.type, policy.eval(), seed, device
        self._pre, self._post = make_pre_post_processors(
            config,
            pretrained_path=path,
            preprocessor_overrides={"device_processor": {"device": device}},
        )
        visual = {n: f for n, f in config.input_features.items() if f.type is FeatureType.VISUAL}
        names = [given or known for given, known in zip(images, visual, strict=False)]
        unknown = [name for name in names if name not in visual]
        if unknown or not names:
            raise SystemExit(f"No image feature {unknown}; the checkpoint has {sorted(visual)}.")
        self._sizes = {name: visual[name].shape[-2:] for name in names}
        print(f"{config.type} takes {', '.join(names)}", flush=True)

    def infer(self, request: dict[Any, Any]) -> dict[str, Any]:
        """Return a chunk of actions, (n, 7)."""
        torch.manual_seed(self._seed)  # same observation, same reply, whatever was asked before
        batch: dict[str, Any] = {
            name: self._image(request[key], size)
            for (name, size), key in zip(self._sizes.items(), IMAGES, strict=False)
        }
        batch[STATE] = torch.from_numpy(np.array(request["observation/state"], dtype=np.float32))
        batch["task"] = request["prompt"]
        with torch.inference_mode():
            actions = self._post(self._policy.predict_action_chunk(self._pre(batch)))
        return {"actions": actions[0].float().cpu().numpy()}

    @staticmethod
    def _image(frame: np.ndarray, size: Sequence[int]) -> torch.Tensor:
        image = torch.from_numpy(np.ascontiguousarray(frame)).permute(2, 0, 1).float() / 255
        if tuple(image.shape[-2:]) == tuple(size):
            return image
        resize = torch.nn.functional.interpolate
        return resize(image[None], tuple(size), mode="bilinear", antialias=True)[0]


def encode(value: Any) -> dict[bytes, Any]:
    """Write an array as openpi does."""
    if not isinstance(value, np.ndarray):
        raise TypeError(f"A {type(value).__name__} cannot be sent.")
    return {
        b"__ndarray__": True,
        b"data": value.tobytes(),
        b"dtype": value.dtype.str,
        b"shape": value.shape,
    }


def decode(item: dict[Any, Any]) -> Any:
    """Read an array as openpi does."""
    if b"__ndarray__" not in item:
        return item
    return np.frombuffer(item[b"data"], np.dtype(item[b"dtype"])).reshape(item[b"shape"])


async def talk(checkpoint: Checkpoint, socket: ServerConnection) -> None:
    """Greet, then answer until the client leaves; a failure is sent as a traceback."""
    await socket.send(msgpack.packb({"policy": checkpoint.kind}))
    try:
        async for frame in socket:
            try:
                reply = checkpoint.infer(msgpack.unpackb(frame, object_hook=decode))
            except Exception:
                logging.exception("A request failed")
                await socket.send(traceback.format_exc())
                await socket.close(1011)
                return
            await socket.send(msgpack.packb(reply, default=encode))
    except ConnectionClosed:
        logging.info("A client left")


async def run(checkpoint: Checkpoint, host: str, port: int) -> None:
    """Serve until interrupted."""

    async def handler(socket: ServerConnection) -> None:
        await talk(checkpoint, socket)

    async with serve(handler, host, port, compression=None, max_size=None, ping_interval=None) as s:
        print(f"Serving at ws://{host}:{s.sockets[0].getsockname()[1]}", flush=True)
        await s.serve_forever()


def main() -> None:
    """Serve the checkpoint named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkpoint")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--image", help="visual feature of the first camera")
    parser.add_argument("--wrist", help="visual feature of the wrist camera")
    parser.add_argument("--seed", type=int, default=0, help="of what the policy samples")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    images = (asked.image, asked.wrist)
    checkpoint = Checkpoint(asked.checkpoint, asked.device, images, asked.seed)
    asyncio.run(run(checkpoint, asked.host, asked.port))


if __name__ == "__main__":
    main()
