import { fail, ok, type Result } from "@pith/kit";
import type { Conflicts } from "./conflicts.ts";
import type { Handler, Resource, Sources } from "./handler.ts";
import { parseUrl, type Url } from "./url.ts";

const handlers: Readonly<Record<string, () => Promise<Handler>>> = {
  agent: async () => (await import("./agent.ts")).agent,
  artifact: async () => (await import("./artifact.ts")).artifact,
  conflict: async () => (await import("./conflict.ts")).conflict,
  history: async () => (await import("./history.ts")).history,
  local: async () => (await import("./local.ts")).local,
  memory: async () => (await import("./memory.ts")).memory,
  pith: async () => (await import("./pith.ts")).pith,
  rule: async () => (await import("./rule.ts")).rule,
  skill: async () => (await import("./skill.ts")).skill,
};

/** Other names of a scheme. */
const aliases: Readonly<Record<string, string>> = { docs: "pith" };

/** Schemes that are known to exist and have nothing behind them here. */
const absent: Readonly<Record<string, string>> = {
  issue: "no issue tracker is connected",
  pr: "no code host is connected",
  mcp: "no MCP server is connected",
  vault: "no notes vault is configured",
  http: "there is no access to the web",
  https: "there is no access to the web",
};

/** Finds what an internal address names. */
export class Router {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  get conflicts(): Conflicts {
    return this.#sources.conflicts;
  }

  async resolve(href: string, signal: AbortSignal): Promise<Result<Resource, "url">> {
    const found = await this.#handler(href);
    return found.ok ? found.value.handler.resolve(found.value.url, this.#sources, signal) : found;
  }

  /** The file that a write to an address makes or replaces. */
  async target(href: string): Promise<Result<string, "url">> {
    const found = await this.#handler(href);
    if (!found.ok) return found;
    const { handler, url } = found.value;
    return handler.target
      ? handler.target(url, this.#sources)
      : fail("url", `${url.scheme}:// is read-only: ${href} was not written`);
  }

  /** The addresses below a bare `scheme://`; undefined when it has no list. */
  async list(href: string): Promise<string[] | undefined> {
    const found = await this.#handler(href);
    return found.ok && found.value.url.host === "" ? found.value.handler.list?.(this.#sources) : undefined;
  }

  async #handler(href: string): Promise<Result<{ handler: Handler; url: Url }, "url">> {
    const url = parseUrl(href);
    if (!url.ok) return url;
    const scheme = Object.hasOwn(aliases, url.value.scheme) ? (aliases[url.value.scheme] ?? "") : url.value.scheme;
    const load = Object.hasOwn(handlers, scheme) ? handlers[scheme] : undefined;
    if (load) return ok({ handler: await load(), url: url.value });
    const reason = Object.hasOwn(absent, scheme) ? absent[scheme] : undefined;
    if (reason) return fail("url", `${scheme}:// is not available: ${reason}`);
    return fail(
      "url",
      `Unknown scheme ${scheme}://. Supported: ${Object.keys(handlers)
        .map((name) => `${name}://`)
        .join(", ")}`,
    );
  }
}
