import { type Intent, type Outcome, refusal } from "@pith/agent";
import { archiveEnding } from "@pith/host";
import { type Clock, ok, type Result } from "@pith/kit";
import { type Draft, draftContent } from "../../../edit/draft/file.ts";
import { allRefused } from "../../../edit/draft/intent.ts";
import { changeOf } from "../../../edit/draft/place.ts";
import { refusedText, withoutHunks } from "../../../edit/draft/refuse.ts";
import type { Files } from "../../../files/files.ts";
import { decode } from "../../../snapshot/decode.ts";
import { type Inside, memberName } from "../../../tools/container.ts";
import { metaOf } from "../../../tools/meta.ts";
import { parseSelector } from "../../../tools/selector.ts";
import type { Writing } from "./file.ts";
import { type Pinned, pin } from "./pin.ts";

/** Replaces or adds one file of an archive. */
export async function prepareArchive(
  { files, clock }: { files: Files; clock: Clock },
  { path, rest }: Inside,
  { content, signal, without }: Writing & { signal: AbortSignal },
): Promise<Intent | Outcome> {
  const inner = rest.slice(1);
  const name = memberName(inner);
  const untouched = (why: string) => refusal(`${why}. Nothing was written.`);
  if (name === undefined) return untouched("A path inside an archive does not climb (..)");
  if (name === "") return untouched("An archive is written member by member: a.zip:dir/x.txt");
  if (inner.endsWith("/")) return untouched("Only files are written into an archive, no directories");
  const selected = parseSelector(`/${inner}`, () => false);
  if (selected.ok && selected.value.path !== `/${inner}`)
    return untouched(`${inner}: lines of a member cannot be written, only all of it`);
  const archive = files.show(path);
  const shown = `${archive}:${name}`;
  const pinned = pin(files, path);
  if (!pinned.ok) return untouched(pinned.message.replace(path, archive));
  const { real: at } = pinned.value.target;
  if (!archiveEnding.test(at))
    return refusal(`${archive} leads to ${files.show(at)}, which is not named as an archive`);
  const whole = await draftMember(files, pinned.value, name, { shown, content, signal });
  if (!whole.ok) return untouched(whole.message.replace(at, archive));
  const left = withoutHunks([whole.value], without);
  if (!left.ok) return refusal(left.message);
  const [draft] = left.value.drafts;
  if (draft?.step.do !== "write") return allRefused;
  const { bytes } = draft.step;
  const notes = refusedText(left.value.refused);
  return {
    effect: "write",
    paths: [pinned.value.touch],
    exact: true,
    changes: async () => [changeOf(draft)],
    async run() {
      const written = await files.placeMember(pinned.value.target, { name, bytes, changed: clock.now() });
      if (!written.ok) return untouched(written.message.replace(at, archive));
      if (written.value.change === "created") notes.unshift("The archive is new");
      return {
        kind: "page",
        data: { path: shown, bytes: bytes.length },
        text: `Successfully wrote ${bytes.length} bytes to ${shown}`,
        meta: metaOf({ source: { path }, notes }),
      };
    },
  };
}

/** Larger contents are not compared. */
const maxCompared = 4 * 1024 * 1024;

/** The new content of a member, compared with the old one. */
async function draftMember(
  files: Files,
  pinned: Pinned,
  member: string,
  { shown, content, signal }: { shown: string; content: string; signal: AbortSignal },
): Promise<Result<Draft, string>> {
  const { path, target } = pinned;
  const old = target.is === "missing" ? undefined : await files.member(target.real, member, maxCompared, signal);
  if (old && !old.ok && old.kind === "broken") return old;
  const decoded = old?.ok ? decode(old.value) : undefined;
  const base = old?.ok && decoded?.ok ? { ...decoded.value, bytes: old.value } : undefined;
  const file = { path, name: shown, target: { is: "missing" as const, path, real: target.real }, base };
  return ok(draftContent(file, content));
}
