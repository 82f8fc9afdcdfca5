import { fail, ok, type Result } from "@pith/kit";
import { builtinSchemes } from "./builtin.ts";
import type { Conflicts } from "./conflicts.ts";
import type { Handler, Resource, Schemes, Sources } from "./handler.ts";
import { parseUrl, type Url } from "./url.ts";

/** Finds what an internal address names, by the schemes it was given. */
export class Router {
  readonly #sources: Sources;
  #schemes: Schemes;

  constructor(sources: Sources, schemes: Schemes = builtinSchemes) {
    this.#sources = sources;
    this.#schemes = schemes;
  }

  /** Takes on further schemes; one that is there stays what it is. */
  add(handlers: Schemes["handlers"]): void {
    this.#schemes = { ...this.#schemes, handlers: { ...handlers, ...this.#schemes.handlers } };
  }

  get conflicts(): Conflicts {
    return this.#sources.conflicts;
  }

  /** What stands at an address. It looks only: a file is named and not read. */
  async resolve(href: string, signal: AbortSignal): Promise<Result<Resource, "url">> {
    const known = await this.#handler(href);
    return known.ok ? known.value.handler.resolve(known.value.url, this.#sources, signal) : known;
  }

  /** The file that a write to an address means, for whoever has to allow it. */
  async target(href: string): Promise<Result<string, "url">> {
    const known = await this.#handler(href);
    if (!known.ok) return known;
    const { handler, url } = known.value;
    return (
      handler.target?.(url, this.#sources) ?? fail("url", `${url.scheme}:// is read-only: ${href} was not written`)
    );
  }

  /** The names that an address stands for: all of its scheme, all below it, or itself. */
  async names(href: string): Promise<string[]> {
    const known = await this.#handler(href);
    if (!known.ok) return [href];
    const { handler, url } = known.value;
    const below = url.host === "" ? handler.list?.(this.#sources) : handler.below?.(url, this.#sources);
    return below && (below.length > 0 || url.host === "") ? below : [href];
  }

  async #handler(href: string): Promise<Result<{ handler: Handler; url: Url }, "url">> {
    const url = parseUrl(href);
    if (!url.ok) return url;
    const { handlers, aliases, absent } = this.#schemes;
    const scheme = entryOf(aliases, url.value.scheme) ?? url.value.scheme;
    const load = entryOf(handlers, scheme);
    if (load) return ok({ handler: await load(), url: url.value });
    const reason = entryOf(absent, scheme);
    if (reason) return fail("url", `${scheme}:// is not available: ${reason}`);
    const supported = Object.keys(handlers).map((name) => `${name}://`);
    return fail("url", `Unknown scheme ${scheme}://. Supported: ${supported.join(", ")}`);
  }
}

const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
