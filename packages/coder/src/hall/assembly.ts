import type { Points } from "@pith/agent";
import { messageOf } from "@pith/kit";
import type { Hall } from "./hall.ts";
import type { Door, Part, Row } from "./part.ts";

/** What the list of parts gives for one conversation. */
export interface Assembly extends AsyncDisposable {
  parts: readonly Part[];
  /** The blocks of the system prompt that parts add. */
  prompt(): string[];
  /** Lets in what comes later: once, when the first input is safe. */
  arrive(): void;
}

/** Makes the parts in the order of the list and puts in what each brings; they go in the opposite order. */
export function assemble(hall: Hall, points: Points, rows: readonly Row[], scope: "main" | "child"): Assembly {
  const door: Door = {
    tools: (source, tools) => hall.tools.add(source, tools),
    gone: (source) => hall.tools.remove(source),
    hooks: (hooks) => points.add(hooks),
    commands: (commands) => void hall.table.add(commands),
    urls: (urls) => hall.urls.add(urls),
  };
  const parts: Part[] = [];
  for (const [reach, make] of rows) {
    const part = reach === "every" || scope === "main" ? make(hall) : undefined;
    if (!part) continue;
    parts.push(part);
    door.hooks(part.hooks ?? []);
    door.tools("pith", part.tools ?? []);
    door.commands(part.commands ?? []);
    door.urls(part.urls ?? {});
  }
  const leaving = new AbortController();
  let arriving: Promise<unknown> | undefined;
  return {
    parts,
    prompt: () => parts.flatMap((part) => part.prompt?.() ?? []),
    arrive() {
      arriving ??= Promise.all(
        parts.map(async (part) => {
          try {
            await part.arrive?.(door, leaving.signal);
          } catch (error) {
            hall.channel.tell({ level: "warn", text: `${part.name} is not there: ${messageOf(error)}` });
          }
        }),
      );
    },
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await arriving;
      for (const part of parts.toReversed()) await part[Symbol.asyncDispose]?.();
    },
  };
}
