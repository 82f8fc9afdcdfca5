import type { Stats } from "node:fs";
import { basename, relative, resolve } from "node:path";
import type { Outcome, UserInput } from "@pith/agent";
import { pictureType } from "@pith/host";
import {
  closing,
  defined,
  expandHome,
  fail,
  fileStat,
  formatBytes,
  isInside,
  ok,
  openPlain,
  type Result,
  readRange,
  realPath,
  tryOr,
} from "@pith/kit";
import type { Image } from "@pith/llm";
import type { Naming } from "../command/command.ts";
import type { Inside } from "../policy/approval.ts";
import { isForeign } from "../policy/provenance.ts";
import { maxNames, withoutEnd } from "./imports.ts";

export interface AttachNeeds {
  cwd: string;
  userHome: string;
  roots: readonly string[];
  /** Folders whose files are the project's own. */
  inside: Inside;
  /** True when a rule forbids everyone to read a path. */
  forbids(path: string): boolean;
  /** Shows a path, with a selector, as the read tool does. */
  show(path: string): Promise<Outcome>;
  /** Reports a file that was named and is not attached. */
  unfit?(told: string): void;
}

/** A file as it was named behind an `@`. */
interface Named {
  /** The name as it was typed, without the `@`. */
  name: string;
  path: string;
  /** The wanted lines, as the read tool takes them. */
  lines?: string | undefined;
  stat: Stats;
}

const maxImage = 10 * 1024 * 1024;

/** Attaches the files, folders and images that a typed text names by `@`. Words that name no file stay words. */
export const attached = (text: string, needs: AttachNeeds): Promise<UserInput> => attachedTo(text, [{ text }], needs);

/** Attaches to a text the files that other texts name. */
export async function attachedTo(text: string, naming: readonly Naming[], needs: AttachNeeds): Promise<UserInput> {
  const named = naming.flatMap((names) => namedIn(names, needs));
  const seen = new Set<string>();
  const once = named.filter(({ name }) => !seen.has(name) && seen.add(name));
  if (once.length === 0) return { text };
  const shown = await Promise.all(once.map((file) => blockOf(file, needs)));
  for (const [at, block] of shown.entries())
    if (!block.ok) needs.unfit?.(`@${once[at]?.name} is not attached: it ${block.message}.`);
  return compose(
    shown.flatMap((block) => (block.ok ? [block.value] : [])),
    text,
  );
}

const namedIn = ({ text, within }: Naming, needs: AttachNeeds): Named[] =>
  [...text.matchAll(/(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g)]
    .slice(0, maxNames)
    .flatMap(([, quoted, word = ""]) => {
      const found = find(quoted ?? word, needs) ?? find(withoutEnd(word), needs);
      const name = quoted ?? withoutEnd(word);
      if (!found && likeFile.test(name)) needs.unfit?.(`@${name} is not attached: there is no such file.`);
      return found ?? [];
    })
    .filter(({ path }) => within === undefined || isInside(realPath(within), realPath(path)));

/** Words that were meant as files; packages (`@scope/name`) and marks of languages have no extension. */
const likeFile = /^[\w./~ -]*\w\.[a-zA-Z]\w{0,7}(?::L?\d+(?:-L?\d+)?)?$/;

/** Attaches files by their names; fails when one cannot be shown. */
export async function attachFiles(names: readonly string[], needs: AttachNeeds): Promise<Result<UserInput, "usage">> {
  const blocks: Block[] = [];
  for (const name of names) {
    const named = find(name, needs);
    if (!named) return fail("usage", `@${name}: no such file`);
    const block = await blockOf(named, needs);
    if (!block.ok) return fail("usage", `@${name} ${block.message}`);
    blocks.push(block.value);
  }
  return ok(compose(blocks, ""));
}

interface Block {
  text: string;
  image?: Image;
  /** The path, when it is outside of the project. */
  outside?: string;
}

function compose(blocks: readonly Block[], text: string): UserInput {
  const images = blocks.flatMap(({ image }) => image ?? []);
  const all = [...blocks.map((block) => block.text), ...(text === "" ? [] : [text])].join("\n\n");
  const outside = blocks.flatMap((block) => block.outside ?? []).join(", ");
  const origin = outside === "" ? undefined : ({ from: "outside", what: outside } as const);
  return defined({ text: all, images: images.length > 0 ? images : undefined, origin });
}

/** Finds the file of a name. A selector of lines behind it counts only when no file has the whole name. */
function find(name: string, { cwd, userHome }: AttachNeeds): Named | undefined {
  const at = (word: string) => {
    const path = resolve(cwd, expandHome(word, userHome));
    const stat = fileStat(path);
    return stat && { name: word, path, stat };
  };
  if (name === "") return undefined;
  const whole = at(name);
  if (whole) return whole;
  const [, file = "", from, to] = /^(.+?):L?(\d+)(?:-L?(\d+))?$/.exec(name) ?? [];
  const found = file === "" ? undefined : at(file);
  return found && { ...found, lines: to === undefined ? `${from}-${from}` : `${from}-${to}` };
}

async function blockOf(named: Named, needs: AttachNeeds): Promise<Result<Block, "unfit">> {
  const { path, lines, stat } = named;
  const label = labelOf(named, needs);
  if (!stat.isFile() && !stat.isDirectory()) return fail("unfit", "is neither a file nor a folder");
  if (needs.forbids(path)) return fail("unfit", "cannot be shown: a rule forbids to read it");
  const outside = isForeign(realPath(path), needs.inside) ? { outside: path } : {};
  const image = stat.isFile() ? imageOf(path, stat) : undefined;
  if (image && !image.ok) return image;
  if (image)
    return ok({
      text: `Contents of ${label} (already provided — do not re-read): attached image`,
      image: image.value,
      ...outside,
    });
  const outcome = await needs.show(lines === undefined ? path : `${path}:${lines}`);
  if (outcome.failed) return fail("unfit", `cannot be shown: ${outcome.text}`);
  const [from = "", to = ""] = lines?.split("-") ?? [];
  const head = lines === undefined ? `Contents of ${label}` : `User's selected code from ${label}:L${from}-L${to}`;
  return ok({ text: `${head} (already provided — do not re-read):\n${outcome.text}`, ...outside });
}

/** Shows a path relative to the working directory, or to the folder of the project that it is in. */
function labelOf({ path, name }: Named, { cwd, roots }: AttachNeeds): string {
  const root = [cwd, ...roots].find((folder) => isInside(folder, path));
  if (root === undefined) return name;
  return (roots.length > 0 ? `${basename(root)}/${relative(root, path)}` : relative(root, path)) || ".";
}

/** Reads an image, which is told by its content; undefined when the file is none. */
function imageOf(path: string, { size }: Stats): Result<Image, "unfit"> | undefined {
  return tryOr((): Result<Image, "unfit"> | undefined => {
    const fd = openPlain(path, "followed");
    using _ = closing(fd);
    const mimeType = pictureType(readRange(fd, 0, 12));
    if (!mimeType || mimeType === "image/bmp") return undefined;
    if (size > maxImage) return fail("unfit", `is an image of more than ${formatBytes(maxImage)}`);
    return ok({ type: "image", data: readRange(fd, 0, size).toString("base64"), mimeType });
  });
}
