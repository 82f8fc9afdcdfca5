import { type Outcome, refusal } from "@pith/agent";
import { type ArchiveEntry, listArchive, readMember } from "@pith/host";
import { formatBytes, showPath } from "@pith/kit";
import { oneLine } from "../../files/path.ts";
import { decode, isByteWise } from "../../snapshot/decode.ts";
import { type Inside, memberName } from "../container.ts";
import { parseSelector, type Selected } from "../selector.ts";
import { chooseLines, showText } from "./page.ts";
import type { ReadParts } from "./parts.ts";

const maxEntries = 500;
const maxMember = 32 * 1024 * 1024;

/** What an archive holds, or one file of it. */
export async function readArchive(parts: ReadParts, { path, rest }: Inside, signal: AbortSignal): Promise<Outcome> {
  const shownPath = showPath(parts.cwd, path);
  const listed = await listArchive(path, signal);
  if (!listed.ok) return refusal(listed.message.replace(path, shownPath));
  const { entries, cut } = listed.value;
  const inner = rest.slice(1);
  const selected = parseSelector(`/${inner}`, (name) => entries.some((entry) => entry.name === name.slice(1)));
  // A selector alone means the listing of the whole archive.
  const lines = parseSelector(`x${rest}`, () => entries.some((entry) => entry.name === inner));
  if (!selected.ok) return refusal(selected.message);
  const target: Selected =
    lines.ok && lines.value.path === "x" && rest !== "" ? { ...lines.value, path: "/" } : selected.value;
  const name = memberName(target.path);
  if (name === undefined) return refusal("Archive path cannot contain '..'");
  const notes = cut === "complete" ? [] : [cutNotes[cut]];
  const found = followed(entries, name);
  if (
    name === "" ||
    found?.type === "directory" ||
    (!found && entries.some((entry) => entry.name.startsWith(`${name}/`)))
  )
    return listing(entries, name, target, { title: name === "" ? shownPath : `${shownPath}:${name}`, path, notes });
  const title = `${shownPath}:${name}`;
  if (found?.type === "link") return refusal(`${title}: is a link to ${found.target}, which is not in the archive`);
  if (found?.type === "other") return refusal(`${title}: is a pipe or a device; it has no content`);
  const read = await readMember(path, found?.name ?? name, maxMember, signal);
  if (!read.ok)
    return refusal(read.kind === "no-member" ? notFound(title, entries) : read.message.replace(path, shownPath));
  const decoded = decode(read.value);
  if (!decoded.ok || isByteWise(decoded.value.encoding))
    return {
      kind: "page",
      data: { path: title, bytes: read.value.length },
      text: `[Cannot read binary archive entry '${name}' (${formatBytes(read.value.length)})]`,
    };
  if (found && found.name !== name) notes.push(`It is a link to ${found.name}`);
  return showText(decoded.value.text, target, parts.defaultLimit, {
    name: title,
    source: { path },
    display: parts.display,
    notes,
  });
}

const cutNotes = {
  absurd: "It unpacks to absurdly much; reading it was stopped, there may be more entries",
  damaged: "The archive is damaged; what comes after the last entry that could be read is missing",
};

/** The entry of a name, or what it leads to; the link itself where it leads out of the archive, or in a circle. */
function followed(entries: readonly ArchiveEntry[], name: string): ArchiveEntry | undefined {
  let found = entries.find((entry) => entry.name === name);
  for (let hops = 0; found?.type === "link" && hops < 40; hops++) {
    const next: ArchiveEntry | undefined = entries.find((entry) => entry.name === found?.target);
    if (!next) return found;
    found = next;
  }
  return found;
}

function notFound(title: string, entries: readonly ArchiveEntry[]): string {
  const last = title.slice(title.lastIndexOf("/") + 1).replace(/^.*:/, "");
  const near = entries.filter((entry) => entry.type === "file" && entry.name.endsWith(`/${last}`)).slice(0, 3);
  return `${title}: no such entry in the archive${near.length > 0 ? `. Did you mean ${near.map((entry) => entry.name).join(" or ")}?` : ""}`;
}

/** The children of one directory of the archive; directories need no entry of their own to exist. */
function listing(
  entries: readonly ArchiveEntry[],
  folder: string,
  { ranges }: Selected,
  about: { title: string; path: string; notes: string[] },
): Outcome<"listing"> {
  const prefix = folder === "" ? "" : `${folder}/`;
  const children = new Map<string, string>();
  for (const { name, type, size, target } of entries) {
    if (!name.startsWith(prefix) || name === folder) continue;
    const [child = "", ...deeper] = name.slice(prefix.length).split("/");
    const shown = oneLine(child);
    const facts =
      target === undefined
        ? `${type === "other" ? "@" : ""}${size > 0 ? ` (${formatBytes(size)})` : ""}`
        : `@ -> ${oneLine(target)}`;
    children.set(child, deeper.length > 0 || type === "directory" ? `${shown}/` : `${shown}${facts}`);
  }
  const lines = [...children.values()].sort();
  const chosen = chooseLines(lines, ranges, { name: about.title, most: maxEntries });
  const notes = [...(chosen.meta.notes ?? []), ...about.notes];
  const empty = folder === "" ? "(empty archive)" : "(empty directory)";
  return {
    kind: "listing",
    data: { path: about.title, count: lines.length },
    text: lines.length === 0 ? empty : `[${about.title}]\n${chosen.text}`,
    meta: { source: { path: about.path }, ...chosen.meta, ...(notes.length > 0 && { notes }) },
  };
}
