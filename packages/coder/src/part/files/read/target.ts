import { type Touch, touch } from "@pith/agent";
import { archiveEnding, documentEnding } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { type Address, type Addresses, openAddress } from "../../../tools/address.ts";
import { archiveIn, databaseIn, type Inside } from "../../../tools/container.ts";
import { containerBySuffix, findBySuffix, missingText } from "../../../tools/missing.ts";
import { parseSelector, type Selected, type Selector } from "../../../tools/selector.ts";
import { looksLikeUrl } from "../../../url/url.ts";

/** The file or directory that a read opens. */
interface ReadPath {
  at: Touch;
  /** The name that the model knows it by. */
  name: string;
  /** The path that was asked for and is not there; this one ends the same way. */
  instead?: string;
}

export interface ContainerTarget extends ReadPath {
  is: "archive" | "database";
  /** The wanted part of it, from the mark before that on. */
  rest: string;
}
export interface FileTarget extends ReadPath {
  is: "directory" | "document" | "file";
  selector: Selector;
}
export interface AddressTarget {
  is: "address";
  address: Address;
  selector: Selector;
}

/** The meaning of the path of a call. */
export type ReadTarget = ContainerTarget | FileTarget | AddressTarget;

interface Looking {
  files: Files;
  urls: Addresses;
  signal: AbortSignal;
}

/**
 * Reads a path as a web or internal address, else as an archive or a database, else as a plain path. A name that exists
 * as it stands is a plain path, and one that does not is looked for by its end.
 */
export async function findTarget(looking: Looking, argument: string): Promise<Result<ReadTarget, "path">> {
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

async function addressTarget({ urls, signal }: Looking, href: string): Promise<Result<ReadTarget, "path">> {
  const selected = parseSelector(href, () => false);
  if (!selected.ok) return fail("path", selected.message);
  const { path, ranges, last, show } = selected.value;
  // `artifact:` alone is left of `artifact://3` when the 3 is taken for a line.
  const bare = !/^[^:]+:\/\/./.test(path);
  if (!bare && show === "conflicts") return fail("path", ":conflicts needs a file");
  const address = await openAddress(urls, bare ? href : path, signal);
  if (!address.ok) return fail("path", address.message);
  const selector: Selector = bare ? { ranges: [], show: "numbered" } : { ranges, last, show };
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
  { path: name, ...selector }: Selected,
  seen: "there" | "perhaps",
): Promise<Result<ReadTarget, "path">> {
  // A bare slash is what a model writes for "here".
  const named = name === "/" ? files.cwd : files.resolve(name);
  const path = seen === "there" || name === "/" ? named : files.spelled(named);
  const there = look(files, path, selector);
  if (there.ok || there.kind !== "missing") return there.ok ? there : fail("path", there.message);
  const inside = await containerBySuffix(files, argument, signal);
  if (inside) return ok(containerTarget(files, inside, inside.name));
  const same = await findBySuffix(files, { path, name }, signal);
  if (signal.aborted) return fail("path", `${name}: reading was stopped`);
  const other = same.length === 1 ? look(files, same[0] as string, selector) : there;
  if (other.ok) return ok({ ...other.value, instead: name });
  return fail("path", missingText(files, path, there.message, same.length > 1 ? same : []));
}

/** Looks at a path without reading from it; a file that can never be read fails at once. */
function look(files: Files, path: string, selector: Selector): Result<FileTarget, "missing" | "path"> {
  const [at, name] = [touch("read", path), files.show(path)];
  const opened = files.read(at.real, 0);
  if (opened.ok || opened.kind === "large") {
    const is = documentEnding.test(at.real) && selector.show !== "raw" ? "document" : "file";
    return ok({ is, at, name, selector });
  }
  if (opened.kind === "directory") return ok({ is: "directory", at, name, selector });
  const message = opened.message.replace(at.real, () => name);
  return fail(opened.kind === "missing" ? "missing" : "path", message);
}
