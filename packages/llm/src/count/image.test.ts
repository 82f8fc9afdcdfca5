import { expect, test } from "bun:test";
import { countImage, imageSize } from "./image.ts";

const base64 = (...bytes: number[]) => ({ data: Buffer.from(bytes).toString("base64") });
const text = (word: string) => [...Buffer.from(word, "latin1")];
const be = (value: number) => [value >> 8, value & 255];

test("the size of an image is read from its first bytes, and guessed where they do not tell", () => {
  const png = [...text("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13, ...text("IHDR"), 0, 0, ...be(640), 0, 0, ...be(480)];
  expect(imageSize(base64(...png))).toEqual({ width: 640, height: 480 });
  expect(imageSize(base64(...text("GIF89a"), 44, 1, 200, 0))).toEqual({ width: 300, height: 200 });
  const app = [0xff, 0xe0, ...be(6), 1, 2, 3, 4];
  const frame = [0xff, 0xc2, ...be(17), 8, ...be(600), ...be(800), 3, 0, 0, 0];
  expect(imageSize(base64(0xff, 0xd8, ...app, ...frame))).toEqual({ width: 800, height: 600 });
  const webp = [...text("RIFF"), 0, 0, 0, 0, ...text("WEBPVP8X"), 10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0];
  expect(imageSize(base64(...webp))).toEqual({ width: 100, height: 50 });
  for (const bad of ["", "@@@@", Buffer.from("\xff\xd8\xff\xe0\x00", "latin1").toString("base64"), "iVBORw0KGgo="])
    expect(imageSize({ data: bad })).toEqual({ width: 1024, height: 1024 });
});

test("an image costs what the rule of its model's maker says", () => {
  const costs = (vendor: string, id: string, width: number, height: number) =>
    countImage({ width, height }, { vendor, id });
  expect(costs("anthropic", "claude-opus-4-6", 1092, 1092)).toBe(1590);
  expect(costs("anthropic", "claude-opus-4-6", 200, 200)).toBe(54);
  expect(costs("openrouter", "anthropic/claude-sonnet-4", 4000, 4000)).toBe(1600);
  expect(costs("openai", "gpt-4o", 1024, 1024)).toBe(765);
  expect(costs("openai", "gpt-4o", 2048, 4096)).toBe(1105);
  expect(costs("openai", "gpt-4.1-mini", 1024, 1024)).toBe(1659);
  expect(costs("google", "gemini-2.5-pro", 300, 200)).toBe(258);
  expect(costs("google", "gemini-2.5-pro", 1500, 700)).toBe(516);
  expect(costs("google", "gemini-3-pro-preview", 1500, 700)).toBe(1120);
  expect(costs("ollama", "qwen2.5vl:7b", 280, 280)).toBe(100);
});
