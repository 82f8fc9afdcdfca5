import type { Tap, TapCapture } from "@pith/llm";

/** The latest traffic of servers for people, cut into events, without secrets. */
export interface Wiretap {
  events(): string[];
  /** Calls the listener when there are more events. */
  listen(listener: () => void): Disposable;
}

const most = { events: 1000, chars: 512_000, event: 64_000 };

export function openWiretap(tap: Tap, mask: (text: string) => string): Wiretap {
  return {
    listen: (listener) => tap.listen(listener),
    events: () => newest(tap.captures().flatMap((heard) => eventsOf(heard, mask))),
  };
}

/** Cuts an answer into events, after a line about it. A line says what was left out. */
function eventsOf({ exchange, bytes, whole }: TapCapture, mask: (text: string) => string): string[] {
  const { time, head, secrets } = exchange;
  // Short values are placeholders that also stand elsewhere in the text.
  const hidden = secrets.filter(({ length }) => length >= 8);
  const hide = (text: string) => mask(hidden.reduce((all, secret) => all.replaceAll(secret, "[removed]"), text));
  const text = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
  // A document or lines of JSON have no blank lines between them.
  const cuts = text.includes("\n\n") ? /\n\n+/ : "\n";
  // Hidden before it is cut, because half a secret would not be found.
  const events = hide(text)
    .split(cuts)
    .filter((event) => event.trim() !== "");
  const begun = whole ? [] : [": pith-debug-truncated what came before"];
  return [`: ${new Date(time).toISOString().slice(11, 19)} ${hide(head)}`, ...begun, ...events.map(cut)];
}

const cut = (event: string): string =>
  event.length <= most.event
    ? event
    : `${event.slice(0, most.event)}\n: pith-debug-truncated ${event.length - most.event} characters`;

function newest(events: readonly string[]): string[] {
  let chars = 0;
  let from = events.length;
  while (from > 0 && events.length - from < most.events) {
    chars += events[from - 1]?.length ?? 0;
    if (chars > most.chars && from < events.length) break;
    from--;
  }
  return events.slice(from);
}
