import { fail, ok, type Result } from "@pith/kit";
import { builtinSchemes } from "./builtin.ts";
import type { Conflicts } from "./conflicts.ts";
import type { Handler, Resource, Schemes, UrlSources } from "./handler.ts";
import { parseUrl, type Url } from "./url.ts";

/** Resolves internal addresses by their schemes. */
export class Router {
  readonly #sources: UrlSources;
  #schemes: Schemes;

  constructor(sources: UrlSources, schemes: Schemes = builtinSchemes) {
    this.#sources = sources;
    this.#schemes = schemes;
  }

  /** Adds schemes; one that is there already stays. */
  add(handlers: Schemes["handlers"]): void {
    this.#schemes = { ...this.#schemes, handlers: { ...handlers, ...this.#schemes.handlers } };
  }

  get conflicts(): Conflicts {
    return this.#sources.conflicts;
  }

  /** Finds the content of an address. A file is named and not read. */
  async resolve(href: string, signal: AbortSignal): Promise<Result<Resource, "url">> {
    const known = await this.#handler(href);
    return known.ok ? known.value.handler.resolve(known.value.url, this.#sources, signal) : known;
  }

  /** Returns the file that a write to an address would change, so that the write can be judged. */
  async target(href: string): Promise<Result<string, "url">> {
    const known = await this.#handler(href);
    if (!known.ok) return known;
    const { handler, url } = known.value;
    return (
      handler.target?.(url, this.#sources) ?? fail("url", `${url.scheme}:// is read-only: ${href} was not written`)
    );
  }

  /** Returns the addresses that one stands for: all of its scheme, all below it, or itself. */
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
