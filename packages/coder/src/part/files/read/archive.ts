import { type Outcome, refusal } from "@pith/agent";
import { type ArchiveEntry, isSingle, type PageRequest } from "@pith/host";
import { formatBytes } from "@pith/kit";
import { escapeName } from "../../../files/path.ts";
import { decode, isByteWise } from "../../../snapshot/decode.ts";
import { memberName } from "../../../tools/container.ts";
import { metaOf } from "../../../tools/meta.ts";
import { parseSelector, type Selected } from "../../../tools/selector.ts";
import type { ReadOptions } from "./options.ts";
import { chooseLines, type PageInfo, showStream, showText } from "./page.ts";
import type { ContainerTarget } from "./target.ts";

const maxEntries = 500;
const maxMember = 32 * 1024 * 1024;

/** Shows the entries of an archive, or a file of it. */
export async function showArchive(
  options: ReadOptions,
  container: ContainerTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const { files, room } = options;
  const { at, name: archive, rest } = container;
  const { path, real } = at;
  const listed = await files.members(real, signal);
  if (!listed.ok) return refusal(listed.message.replace(real, () => archive));
  const { entries, cut } = listed.value;
  // The name of a file that was packed by itself stands for its content.
  if (isSingle(real) && !rest.startsWith(`:${entries[0]?.name}`))
    return showArchive(options, { ...container, rest: `:${entries[0]?.name}${rest}` }, signal);
  const inner = rest.slice(1);
  const selected = parseSelector(`/${inner}`, (name) => entries.some((entry) => entry.name === name.slice(1)));
  // A selector alone means the listing of the whole archive.
  const lines = parseSelector(`x${rest}`, () => entries.some((entry) => entry.name === inner));
  if (!selected.ok) return refusal(selected.message);
  const target: Selected =
    lines.ok && lines.value.path === "x" && rest !== "" ? { ...lines.value, path: "/" } : selected.value;
  const name = memberName(target.path);
  if (name === undefined) return refusal("A path in an archive does not climb: it holds '..'");
  const notes = cut === "complete" ? [] : [cutNotes[cut]];
  const entry = followed(entries, name);
  const title = name === "" ? archive : `${archive}:${escapeName(name)}`;
  const isFolder = entry ? entry.type === "directory" : entries.some((other) => other.name.startsWith(`${name}/`));
  if (name === "" || isFolder) return listing(entries, name, target, { title, path, notes, bytes: room().bytes });
  return showMember(options, container, { name, entry, target, notes, entries }, signal);
}

interface Wanted {
  name: string;
  entry: ArchiveEntry | undefined;
  target: Selected;
  notes: string[];
  entries: readonly ArchiveEntry[];
}

async function showMember(
  { files, display, room }: ReadOptions,
  { at: { path, real }, name: archive }: ContainerTarget,
  { name, entry, target, notes, entries }: Wanted,
  signal: AbortSignal,
): Promise<Outcome> {
  const title = `${archive}:${escapeName(name)}`;
  if (entry?.type === "link") return refusal(`${title}: is a link to ${entry.target}, which is not in the archive`);
  if (entry?.type === "other") return refusal(`${title}: is a pipe or a device; it has no content`);
  if (entry && entry.name !== name) notes.push(`It is a link to ${entry.name}`);
  const info: PageInfo = { name: title, source: { path }, display, notes };
  const member = entry?.name ?? name;
  const content = await files.member(real, member, maxMember, signal);
  if (!content.ok && content.kind === "large") {
    const page = (request: PageRequest) => files.memberPage(real, member, request);
    const streamed = await showStream(page, target, room(), info, signal);
    return streamed.ok ? streamed.value : refusal(streamed.message.replace(real, () => archive));
  }
  if (!content.ok && content.kind === "no-member") return refusal(notFound(title, entries));
  if (!content.ok) return refusal(content.message.replace(real, () => archive));
  const decoded = decode(content.value);
  if (decoded.ok && !isByteWise(decoded.value.encoding)) return showText(decoded.value.text, target, room(), info);
  const bytes = content.value.length;
  return { kind: "page", data: { path: title, bytes }, text: `[${title} is binary (${formatBytes(bytes)})]` };
}

const cutNotes = {
  absurd: "It unpacks to absurdly much; reading it was stopped, there may be more entries",
  damaged: "The archive is damaged; entries after the last one that could be read are missing",
};

/** The entry of a name, or the one it links to; the link itself where it leads out of the archive, or in a circle. */
function followed(entries: readonly ArchiveEntry[], name: string): ArchiveEntry | undefined {
  let end = entries.find((entry) => entry.name === name);
  for (let hops = 0; end?.type === "link" && hops < 40; hops++) {
    const next: ArchiveEntry | undefined = entries.find((entry) => entry.name === end?.target);
    if (!next) return end;
    end = next;
  }
  return end;
}

function notFound(title: string, entries: readonly ArchiveEntry[]): string {
  const last = title.slice(title.lastIndexOf("/") + 1).replace(/^.*:/, "");
  const near = entries.filter((entry) => entry.type === "file" && entry.name.endsWith(`/${last}`)).slice(0, 3);
  const meant = near.length > 0 ? `. Did you mean ${near.map((entry) => entry.name).join(" or ")}?` : "";
  return `${title}: no such entry in the archive${meant}`;
}

/** The children of one directory of the archive; directories need no entry of their own to exist. */
function listing(
  entries: readonly ArchiveEntry[],
  folder: string,
  { ranges }: Selected,
  about: { title: string; path: string; notes: string[]; bytes: number },
): Outcome<"listing"> {
  const prefix = folder === "" ? "" : `${folder}/`;
  const children = new Map<string, string>();
  for (const { name, type, size, target } of entries) {
    if (!name.startsWith(prefix) || name === folder) continue;
    const [child = "", ...deeper] = name.slice(prefix.length).split("/");
    const facts = `${type === "other" ? "@" : ""}${size > 0 ? ` (${formatBytes(size)})` : ""}`;
    const end = target === undefined ? facts : `@ -> ${escapeName(target)}`;
    children.set(child, escapeName(child) + (deeper.length > 0 || type === "directory" ? "/" : end));
  }
  const lines = [...children.values()].sort();
  const { title, path } = about;
  const { text, limits, notes } = chooseLines(lines, ranges, { name: title, many: maxEntries, bytes: about.bytes });
  const empty = folder === "" ? "(empty archive)" : "(empty directory)";
  return {
    kind: "listing",
    data: { path: title, count: lines.length },
    text: lines.length === 0 ? empty : `[${title}]\n${text}`,
    meta: metaOf({ source: { path }, limits, notes: [...notes, ...about.notes] }),
  };
}
