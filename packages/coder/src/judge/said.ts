import type { CommandEffects } from "./command-effects.ts";
import type { Said } from "./judged.ts";
import { type Arg, exact } from "./word.ts";

export const nothingSaid: Said = { words: [], paths: [] };

/** Takes apart what a program is told, in its words and on its input. */
export function saidTo(args: readonly Arg[], does: CommandEffects): Said {
  const texts = [...args.map(({ shape }) => shape), does.context.input?.text ?? ""];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these stand for what is not known
  const words = texts.flatMap((text) => text.split(/[\s'"`()<>|;,&{}$\\=@:?#!+[\]\x00\x01]+/)).filter(Boolean);
  const some = words.slice(0, most);
  const attached = some.flatMap((word) => /^-\w(.+)/.exec(word)?.[1] ?? []);
  const places = [...args, ...[...some, ...attached].map(exact)].flatMap((arg) => does.paths(arg));
  const known = new Set(places.flatMap(({ kind, path }) => (kind === "inside" || kind === "outside" ? [path] : [])));
  return { words: some, paths: Array.from(known, (path) => ({ effect: "read", path, named: undefined })) };
}

/** Words that are looked at: a long text is no list of names. */
const most = 40;
