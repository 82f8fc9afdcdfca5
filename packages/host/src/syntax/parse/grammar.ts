import { readFileSync } from "node:fs";
import { zlib } from "@pith/kit";
import bash from "../data/bash.wasm.zst" with { type: "file" };
import c from "../data/c.wasm.zst" with { type: "file" };
import cSharp from "../data/c-sharp.wasm.zst" with { type: "file" };
import cpp from "../data/cpp.wasm.zst" with { type: "file" };
import css from "../data/css.wasm.zst" with { type: "file" };
import dart from "../data/dart.wasm.zst" with { type: "file" };
import elixir from "../data/elixir.wasm.zst" with { type: "file" };
import go from "../data/go.wasm.zst" with { type: "file" };
import html from "../data/html.wasm.zst" with { type: "file" };
import java from "../data/java.wasm.zst" with { type: "file" };
import javascript from "../data/javascript.wasm.zst" with { type: "file" };
import json from "../data/json.wasm.zst" with { type: "file" };
import kotlin from "../data/kotlin.wasm.zst" with { type: "file" };
import lua from "../data/lua.wasm.zst" with { type: "file" };
import php from "../data/php.wasm.zst" with { type: "file" };
import python from "../data/python.wasm.zst" with { type: "file" };
import ruby from "../data/ruby.wasm.zst" with { type: "file" };
import rust from "../data/rust.wasm.zst" with { type: "file" };
import scala from "../data/scala.wasm.zst" with { type: "file" };
import swift from "../data/swift.wasm.zst" with { type: "file" };
import toml from "../data/toml.wasm.zst" with { type: "file" };
import tsx from "../data/tsx.wasm.zst" with { type: "file" };
import typescript from "../data/typescript.wasm.zst" with { type: "file" };
import yaml from "../data/yaml.wasm.zst" with { type: "file" };
import zig from "../data/zig.wasm.zst" with { type: "file" };
import type { LanguageName } from "../language.ts";

const files: Partial<Record<LanguageName, string>> = {
  bash,
  c,
  "c-sharp": cSharp,
  cpp,
  css,
  dart,
  elixir,
  go,
  html,
  java,
  javascript,
  json,
  kotlin,
  lua,
  php,
  python,
  ruby,
  rust,
  scala,
  swift,
  toml,
  tsx,
  typescript,
  yaml,
  zig,
};

/** The bytes of a grammar. The files stand beside the source, or inside the built program. */
export function grammarBytes(name: LanguageName): Uint8Array {
  const file = files[name];
  if (file === undefined) throw new Error(`no grammar for ${name}`);
  return zlib().zstdDecompressSync(readFileSync(file));
}
