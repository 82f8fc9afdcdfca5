import { type Touch, touch } from "@pith/agent";
import { archiveEnding, documentEnding } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { type Address, type Addresses, openAddress } from "../../../tools/address.ts";
import { archiveIn, databaseIn, type Inside } from "../../../tools/container.ts";
import { containerBySuffix, findBySuffix, missingText } from "../../../tools/missing.ts";
import { parseSelector, type Selected, type Selector } from "../../../tools/selector.ts";
import { looksLikeUrl } from "../../../url/url.ts";

/** The one file or directory that a read opens. */
export interface Spot {
  at: Touch;
  /** As the model knows it. */
  name: string;
  /** What was asked for and is not there; this one ends the same way. */
  instead?: string;
}

export interface ContainerTarget extends Spot {
  is: "archive" | "database";
  /** What is wanted of it, with the mark that stands before that. */
  rest: string;
}
export interface FileTarget extends Spot {
  is: "directory" | "document" | "file";
  selector: Selector;
}
export interface AddressTarget {
  is: "address";
  address: Address;
  selector: Selector;
}

/** What the path of a call means. */
export type Target = ContainerTarget | FileTarget | AddressTarget;

interface Looking {
  files: Files;
  urls: Addresses;
  signal: AbortSignal;
}

/**
 * Web and internal addresses first, then archives, databases, and at last plain paths; a name that exists as it stands
 * is a plain path, and one that does not is looked for by its end.
 */
export async function findTarget(looking: Looking, argument: string): Promise<Result<Target, "path">> {
  const { files } = looking;
  if (/^www\./i.test(argument)) return addressTarget(looking, `https://${argument}`);
  if (looksLikeUrl(argument)) return addressTarget(looking, argument);
  const exists = (name: string) => files.stat(files.resolve(name)) !== undefined;
  const plain = exists(argument);
  const container = archiveIn(files, argument) ?? databaseIn(files, argument);
  if (container && (!plain || container.rest === "")) return ok(containerTarget(files, container));
  const selected = parseSelector(argument, exists);
  if (!selected.ok) return fail("path", selected.message);
  const isThere = plain && selected.value.path === argument;
  return fileTarget(looking, argument, selected.value, isThere ? "there" : "perhaps");
}

async function addressTarget({ urls, signal }: Looking, href: string): Promise<Result<Target, "path">> {
  const selected = parseSelector(href, () => false);
  if (!selected.ok) return fail("path", selected.message);
  const { path, ranges, show } = selected.value;
  // `artifact:` alone is left of `artifact://3` when the 3 is taken for a line.
  const bare = !/^[^:]+:\/\/./.test(path);
  if (!bare && show === "conflicts") return fail("path", ":conflicts needs a file");
  const address = await openAddress(urls, bare ? href : path, signal);
  if (!address.ok) return fail("path", address.message);
  const selector: Selector = bare ? { ranges: [], show: "numbered" } : { ranges, show };
  return address.value.whole === "extract" && selector.ranges.length > 0
    ? fail("path", "A part that is taken out of an answer has no lines to choose")
    : ok({ is: "address", address: address.value, selector });
}

const containerTarget = (files: Files, { path, rest }: Inside, instead?: string): ContainerTarget => ({
  is: archiveEnding.test(path) ? "archive" : "database",
  at: touch("read", path),
  name: files.show(path),
  rest,
  instead,
});

async function fileTarget(
  { files, signal }: Looking,
  argument: string,
  { path: name, ranges, show }: Selected,
  seen: "there" | "perhaps",
): Promise<Result<Target, "path">> {
  // A bare slash is what a model writes for "here".
  const named = name === "/" ? files.cwd : files.resolve(name);
  const path = seen === "there" || name === "/" ? named : files.spelled(named);
  const there = look(files, path, { ranges, show });
  if (there.ok || there.kind !== "missing") return there.ok ? there : fail("path", there.message);
  const inside = await containerBySuffix(files, argument, signal);
  if (inside) return ok(containerTarget(files, inside, inside.name));
  const near = await findBySuffix(files, { path, name }, signal);
  if (signal.aborted) return fail("path", `${name}: reading was stopped`);
  const other = near.only === undefined ? there : look(files, near.only, { ranges, show });
  return other.ok
    ? ok({ ...other.value, instead: name })
    : fail("path", missingText(files, path, there.message, near.several));
}

/** What stands at a path. Nothing of it is read; what can never be read is told at once. */
function look(files: Files, path: string, selector: Selector): Result<FileTarget, "missing" | "path"> {
  const [at, name] = [touch("read", path), files.show(path)];
  const opened = files.read(at.real, 0);
  if (opened.ok || opened.kind === "large") {
    const is = documentEnding.test(at.real) && selector.show !== "raw" ? "document" : "file";
    return ok({ is, at, name, selector });
  }
  if (opened.kind === "directory") return ok({ is: "directory", at, name, selector });
  return fail(
    opened.kind === "missing" ? "missing" : "path",
    opened.message.replace(at.real, () => name),
  );
}
