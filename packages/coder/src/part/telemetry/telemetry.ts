import { join } from "node:path";
import type { Event } from "@pith/agent";
import { fileLog, messageOf } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import type { Exporting } from "./export.ts";

type Needs = "settings" | "env" | "channel" | "header" | "agent" | "home" | "clock" | "secrets";

/**
 * Sends traces and metrics to a collector. Events are queued, and passed on when a turn ends or takes long, so that
 * libraries are loaded only when needed and never delay a turn.
 */
export const telemetry: MakePart<Needs> = (hall) => {
  const { settings, env, channel } = hall;
  if (!settings.get("telemetry.enabled") || env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return undefined;
  let waiting: Noted[] = [];
  let exporting: Promise<Exporting | undefined> | undefined;
  const tell = async () => {
    exporting ??= open(hall);
    const to = await exporting;
    const noted = waiting;
    waiting = [];
    for (const { event, at } of noted) to?.take(event, at);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listening = channel.listen((event) => {
    if (!told.has(event.type)) return;
    waiting.push({ event, at: performance.timeOrigin + performance.now() });
    const over = event.type === "turn" && event.state.name === "idle";
    if (!over && waiting.length < mostWaiting) timer ??= setTimeout(tell, patienceMs).unref();
    else {
      clearTimeout(timer);
      timer = undefined;
      void tell();
    }
  });
  return {
    name: "telemetry",
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      listening[Symbol.dispose]();
      if (waiting.length > 0 || exporting) await tell();
      await (await exporting)?.end();
    },
  };
};

interface Noted {
  event: Event;
  at: number;
}

const told: ReadonlySet<Event["type"]> = new Set(["turn", "entry", "call"]);
const patienceMs = 1000;
const mostWaiting = 2000;

async function open({ settings, env, header, agent, home, clock, secrets }: Pick<Hall, Needs>) {
  const log = fileLog(join(home, "logs", "pith.log"), () => clock.now());
  try {
    const { openExporting } = await import("./export.ts");
    const content = settings.get("telemetry.content") ? (text: string) => secrets.mask(text) : undefined;
    return openExporting({ env, session: header.id, agent, content, log });
  } catch (thrown) {
    log.write("warn", `telemetry is not sent: ${secrets.mask(messageOf(thrown))}`);
    return undefined;
  }
}
