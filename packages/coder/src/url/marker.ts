/** A conflict of a merge. Lines are 1-based; `text` is the whole region with its markers. */
export interface Region {
  from: number;
  to: number;
  text: string;
  ours: Side;
  base?: Side;
  theirs: Side;
}
export interface Side {
  label: string;
  text: string;
}

/** Finds the conflict regions of a text. A marker that does not belong to a whole region is just text. */
export function findRegions(text: string): Region[] {
  if (!text.includes("<<<<<<< ")) return [];
  const regions: Region[] = [];
  let open: Open | undefined;
  let line = 1;
  for (let at = 0; at < text.length; line++) {
    const end = text.indexOf("\n", at) === -1 ? text.length : text.indexOf("\n", at) + 1;
    const row = text.slice(at, end);
    const [, mark, label = ""] = /^(<{7}|\|{7}|={7}|>{7})(?: ([^\r\n]*))?\r?\n?$/.exec(row) ?? [];
    const closed: Region | undefined =
      mark === ">>>>>>>" && open?.part === "theirs" ? close(open, { text, line, end, label }) : undefined;
    if (closed) {
      regions.push(closed);
      open = undefined;
    } else if (mark === "<<<<<<<") open = { start: at, from: line, part: "ours", sides: { ours: { label, text: "" } } };
    else if (open) step(open, mark, label, row);
    at = end;
  }
  return regions;
}

interface Open {
  start: number;
  from: number;
  part: "ours" | "base" | "theirs";
  sides: Partial<Record<"ours" | "base" | "theirs", Side>>;
}

function step(open: Open, mark: string | undefined, label: string, row: string): void {
  if (mark === "|||||||" && open.part === "ours") {
    open.part = "base";
    open.sides.base = { label, text: "" };
  } else if (mark === "=======" && open.part !== "theirs") {
    open.part = "theirs";
    open.sides.theirs = { label: "", text: "" };
  } else {
    const side = open.sides[open.part];
    if (side) side.text += row;
  }
}

function close(
  open: Open,
  { text, line, end, label }: { text: string; line: number; end: number; label: string },
): Region | undefined {
  const { ours, base, theirs } = open.sides;
  if (!ours || !theirs) return undefined;
  return {
    from: open.from,
    to: line,
    text: text.slice(open.start, end),
    ours,
    base,
    theirs: { ...theirs, label },
  };
}
