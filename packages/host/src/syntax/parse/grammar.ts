import { readFileSync } from "node:fs";
import { zlib } from "@pith/kit";
import type { LanguageName } from "../language.ts";
import * as grammars from "./grammar-files.ts";

const files: Partial<Record<LanguageName, string>> = grammars;

/** The bytes of a grammar. The files stand beside the source, or inside the built program. */
export function grammarBytes(name: LanguageName): Uint8Array {
  const file = files[name];
  if (file === undefined) throw new Error(`no grammar for ${name}`);
  return zlib().zstdDecompressSync(readFileSync(file));
}
