import { fail, ok, type Result } from "@pith/kit";

/** Address of a vendor's server. */
export interface Endpoint {
  url: URL;
  /** The address without credentials and query. */
  shown: string;
  /** Variable that sets it. */
  variable: string;
  /** True for this machine or the local network: such a server may need no key. */
  near: boolean;
}

/** The endpoint from a variable, or the vendor's own. */
export function endpointFrom(
  variable: string,
  env: Readonly<Record<string, string | undefined>>,
  usual: string,
): Result<Endpoint, "vendor"> {
  const address = env[variable]?.trim() || usual;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    return fail("vendor", `${variable} is not an http or https address, for example ${usual}`);
  return ok({ url, shown: (url.origin + url.pathname).replace(/\/+$/, ""), variable, near: isNear(url.hostname) });
}

/** An address with a path below it, and the path's query. */
export function urlBelow(base: URL, path: string): URL {
  const [below = "", query = ""] = path.split("?");
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + below;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url;
}

function isNear(host: string): boolean {
  if (host.startsWith("[")) return /^\[(::1|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/.test(host);
  const [a = 0, b = 0, ...rest] = host.split(".").map(Number);
  if (rest.length === 2 && !rest.some(Number.isNaN))
    return (
      a === 127 ||
      a === 10 ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      (a === 169 && b === 254) ||
      (a === 100 && b >= 64 && b < 128)
    );
  return !host.includes(".") || /\.(localhost|local|lan|internal|home\.arpa)$/.test(host);
}
