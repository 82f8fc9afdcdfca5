/** A host that may be reached: one, or all below it; on one port, on the usual two, or on any. */
export interface AllowedHost {
  host: string;
  below: boolean;
  port: number | "any" | undefined;
  /** Methods of plain HTTP that may be used. */
  methods: readonly string[] | "all";
  /** True where it may have an address of a private network: the user themselves named it. */
  near: boolean;
}

/**
 * Reads a line like `example.com`, `*.example.com`, `example.com:8443`, and behind it the methods of plain HTTP where
 * they are not the usual ones. Undefined for anything else.
 */
export function parseAllowedHost(line: string, by: "user" | "project" = "project"): AllowedHost | undefined {
  const [, star, name = "", port, methods] =
    /^(\*\.)?([^\s:*]+)(?::(\d{1,5}))?(?:\s+([A-Z]+(?:,[A-Z]+)*))?$/.exec(line.trim()) ?? [];
  const host = hostName(name);
  if (host === undefined || (star !== undefined && !host.includes(".")) || Number(port ?? 1) > 65_535) return undefined;
  return {
    host,
    below: star !== undefined,
    port: port === undefined ? undefined : Number(port),
    methods: methods?.split(",") ?? harmlessMethods,
    near: by === "user",
  };
}

export const harmlessMethods: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** The rule that lets a connection through. */
export const domainFor = (domains: readonly AllowedHost[], host: string, port: number): AllowedHost | undefined =>
  domains.find(
    (domain) =>
      (domain.port === "any" || (domain.port ?? (port === 80 || port === 443 ? port : undefined)) === port) &&
      (domain.below ? host.endsWith(`.${domain.host}`) : host === domain.host),
  );

/**
 * A host in the one spelling that is compared and looked up: lower case, no dot at the end, letters of other scripts as
 * they go over the wire. Whatever else a resolver might read in another way (a number for an address, a NUL, a
 * percent sign) is no host.
 */
export function hostName(text: string): string | undefined {
  const bare = text.replace(/\.$/, "");
  if (bare.length === 0 || bare.length > 253 || !/^[\p{L}\p{N}\p{M}.-]+$/u.test(bare)) return undefined;
  let host: string;
  try {
    host = new URL(`http://${bare}/`).hostname;
  } catch {
    return undefined;
  }
  // An address is no name, however it was written; who wants one to be reached has no domain to allow.
  if (/^\d+(?:\.\d+){3}$/.test(host) || /^[\d.]+$/.test(bare) || /(?:^|\.)0x[\da-f]*$/i.test(bare)) return undefined;
  return /^(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!-)[a-z\d-]{1,63}(?<!-))*$/.test(host) ? host : undefined;
}
