import { fail, ok, type Result } from "@pith/kit";

/** An internal address, `scheme://host/path?query`. Names keep their case, percent-encoding is decoded. */
export interface Url {
  scheme: string;
  host: string;
  /** Without the leading slash. */
  path: string;
  query: ReadonlyMap<string, string>;
  /** The address as it was given. */
  href: string;
}

/** True for texts that look like an address and not a path. A file URL is a path. */
export const looksLikeUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^file:/i.test(text);

export function parseUrl(href: string): Result<Url, "url"> {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(href) ?? [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (scheme === "" || /[\x00-\x1f[\]<>"\\^`]/.test(rest.split("?", 1)[0] ?? ""))
    return fail("url", `Invalid URL: ${href}`);
  const [, address = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(rest) ?? [];
  const slash = address.indexOf("/");
  try {
    return ok({
      scheme: scheme.toLowerCase(),
      host: decodeURIComponent(slash === -1 ? address : address.slice(0, slash)),
      path: decodeURIComponent(slash === -1 ? "" : address.slice(slash + 1)),
      query: new Map(new URLSearchParams(query)),
      href,
    });
  } catch {
    return fail("url", `Invalid URL: ${href}`);
  }
}

/** Joins host and path to one relative name. */
export const nameIn = ({ host, path }: Pick<Url, "host" | "path">): string => (path === "" ? host : `${host}/${path}`);
