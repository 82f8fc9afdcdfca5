import { isRecord } from "@pith/kit";
import type { Asked, Kind } from "./kind.ts";
import { llamaCpp } from "./llama-cpp.ts";
import { lmStudio } from "./lm-studio.ts";
import { Machine, type Setup } from "./machine.ts";
import { ollama } from "./ollama.ts";
import { vllm } from "./vllm.ts";

export const kinds = { ollama, "llama.cpp": llamaCpp, "lm-studio": lmStudio, vllm } satisfies Readonly<
  Record<string, Kind>
>;
export type KindName = keyof typeof kinds;

export interface Emulated {
  /** The address of the protocol, as pith is given it. */
  url: string;
  machine: Machine;
  [Symbol.dispose](): void;
}

/** Runs a local server on loopback, with a function in place of its model. */
export function emulate(name: KindName, { port = 0, ...setup }: Setup & { port?: number } = {}): Emulated {
  const kind: Kind = kinds[name];
  const machine = new Machine({ ...setup, quirks: [...(kind.quirks ?? []), ...(setup.quirks ?? [])] });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    async fetch(request) {
      const raw = await request.text();
      const body = raw === "" ? {} : parsed(raw);
      const asked: Asked = { request, url: new URL(request.url), raw, body: body ?? {} };
      if (body === undefined) return Response.json({ error: "the body is not a JSON object" }, { status: 400 });
      const route = routeOf(kind, `${request.method} ${asked.url.pathname}`);
      return route ? route(machine, asked) : kind.missing(asked);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}${kind.base}`,
    machine,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function routeOf({ routes }: Kind, path: string): Kind["routes"][string] | undefined {
  const starred = Object.keys(routes).find((route) => route.endsWith("*") && path.startsWith(route.slice(0, -1)));
  return Object.hasOwn(routes, path) ? routes[path] : starred === undefined ? undefined : routes[starred];
}

function parsed(raw: string): Asked["body"] | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return isRecord(value) ? (value as Asked["body"]) : undefined;
  } catch {
    return undefined;
  }
}
