// Strict servers for tests of any package: one for every protocol, on loopback, which can also play failures.
export { type Emulated, emulate } from "./emulate/emulate.ts";
export { qwen as weights } from "./emulate/model.ts";
export type { Mind, Seen, Told } from "./emulate/seen.ts";
export type { Fake, Fault, Play, Scene } from "./fake.ts";
export { type Bench, benches, streamTo } from "./lab.ts";
export { type Rule, refusalOf } from "./rule.ts";
export { type Served, serve } from "./serve.ts";
export { samples, type Tokenizer, tokenizers } from "./tokens.ts";
