import type { StreamEvent } from "@pith/llm";
import type { ScanState, SecretSpan } from "./scan.ts";

export interface DeltaSources {
  find(text: string, state: ScanState): SecretSpan[];
  name(value: string): string;
  /** True when every known value is one word. */
  words(): "one" | "several";
}

/** Masks secrets in what a model streams. */
export type MaskDeltas = (deltas: readonly StreamEvent[]) => readonly StreamEvent[];

type Said = Extract<StreamEvent, { delta: string }>;

/** State of one block of an answer. */
interface Block {
  /** Text of the present line that was passed on: the name that a value is given to may stand there. */
  line: string;
  /** Text that has not ended yet. */
  held: string;
  /** True when a value of several words may follow in this line. */
  gives: boolean;
  state: ScanState;
  /** True for JSON, whose lines end as they are written in texts. */
  escaped: boolean;
}

/**
 * A word is let go when it has ended, and where a line may give a key to a name (or is one of a private key), the line:
 * so nothing is hidden less for being cut, and what is read is looked at once.
 */
export function maskDeltas(sources: DeltaSources): MaskDeltas {
  const blocks = new Map<number, { block: Block; said: Said }>();
  /** Words and thoughts end where another block begins; calls may come side by side. */
  const left = (of: "all" | "words"): Said[] => {
    const rest: Said[] = [];
    for (const [index, { block, said }] of blocks) {
      if (of === "words" && said.type === "args") continue;
      if (block.held !== "") rest.push({ ...said, delta: hide(block, block.held, sources) });
      blocks.delete(index);
    }
    return rest;
  };
  const told = (event: Said): Said[] => {
    const known = blocks.get(event.index);
    const before = known ? [] : left("words");
    const block = known?.said.type === event.type ? known.block : fresh(event.type === "args");
    blocks.set(event.index, { block, said: event });
    const delta = take(block, event, sources);
    if (delta === "") return before;
    return [...before, delta === event.delta ? event : { ...event, delta }];
  };
  return (deltas) => {
    const out: StreamEvent[] = [];
    for (const event of deltas) {
      if (event.type === "start") blocks.clear();
      if ("delta" in event) out.push(...told(event));
      else out.push(...(event.type === "usage" ? [] : left("all")), event);
    }
    return out;
  };
}

const fresh = (escaped: boolean): Block => ({ line: "", held: "", gives: false, state: { inKey: 0 }, escaped });

function take(block: Block, { delta }: Said, sources: DeltaSources): string {
  let text = block.held + delta;
  let out = "";
  const end = afterLast(text, block.escaped ? "\\n" : "\n");
  if (end > 0) {
    out = hide(block, text.slice(0, end), sources);
    text = text.slice(end);
    block.line = "";
    block.gives = false;
  }
  block.gives ||= /[=:]|--/.test(delta) && giving.test(block.line.slice(-nameSigns) + text);
  const whole = block.gives || block.state.inKey > 0 || sources.words() === "several";
  const cut = text.length > mostHeld ? text.length : whole ? 0 : afterGap(text);
  if (cut > 0) {
    const said = text.slice(0, cut);
    out += cut < shortest && !whole ? said : hide(block, said, sources);
    block.line = (block.line + said).slice(-mostHeld);
  }
  block.held = text.slice(cut);
  return out;
}

/** Looks at what is let go together with what stands before it in its line. */
function hide({ line, state, escaped }: Block, text: string, { find, name }: DeltaSources): string {
  let out = "";
  let at = line.length;
  const all = line + text;
  for (const { start, end } of find(escaped ? plain(all) : all, state)) {
    if (end <= at) continue;
    out += all.slice(at, Math.max(start, at)) + name(all.slice(start, end));
    at = end;
  }
  return out + all.slice(at);
}

/** The signs of the same length that a key is found between. */
const plain = (text: string): string => text.replace(/\\[nrt]/g, (sign) => (sign === "\\n" ? " \n" : "  "));

/** Matches what may be followed by a value, an account in an address, or a private key. */
const giving =
  /(?:pass|pwd|secret|token|key|cred|auth|dsn|pat|salt|cookie|jwt|hook)[\w.-]{0,40}[\s"'`\\]{0,4}[=:]|:\/\/|-----/i;
const nameSigns = 100;
const shortest = 8;
const mostHeld = 4096;

function afterLast(text: string, sign: string): number {
  const at = text.lastIndexOf(sign);
  return at === -1 ? 0 : at + sign.length;
}

/** Behind the last sign that no key has: keys are of letters, figures and some others, all of the oldest. */
function afterGap(text: string): number {
  let at = text.length;
  while (at > 0 && text.charCodeAt(at - 1) > 32 && text.charCodeAt(at - 1) < 127) at--;
  return at;
}
