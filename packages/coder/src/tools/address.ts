import { type Touch, touch } from "@pith/agent";
import { fail, ok, type Result } from "@pith/kit";
import type { Files } from "../files/files.ts";
import type { Resource } from "../url/handler.ts";
import type { Router } from "../url/router.ts";

/** Finds what internal addresses name. */
export interface Addresses {
  resolve(href: string, signal: AbortSignal): Promise<Result<Resource, "url">>;
}

/** The content of an internal address: a file, of which something may be taken out, or a text without one. */
export type Address = { href: string } & Pick<Resource, "whole" | "origin"> &
  ({ at: Touch; extract?(content: string): Result<string, "url"> } | { at?: undefined; text: string });

export async function openAddress(urls: Addresses, href: string, signal: AbortSignal): Promise<Result<Address, "url">> {
  const resolved = await urls.resolve(href, signal);
  if (!resolved.ok) return resolved;
  const { file, ...resource } = resolved.value;
  return ok((file === undefined ? { ...resource, href } : { ...resource, href, at: touch("read", file) }) as Address);
}

/** A larger content is no answer or record that is worth a look. */
const maxContent = 64 * 1024 * 1024;

/** The whole text behind an address. */
export function textAt(files: Files, address: Address): Result<string, "url"> {
  if (!address.at) return ok(address.text);
  const { path, real } = address.at;
  const whole = files.read(real, maxContent);
  const named = () => address.href;
  if (!whole.ok) return fail("url", whole.message.replace(real, named).replace(path, named));
  const content = whole.value.bytes.toString();
  return address.extract ? address.extract(content) : ok(content);
}

/** All that an address stands for: itself, or the addresses below one that is like a directory. */
export async function openAddresses(
  urls: Addresses & Pick<Router, "names">,
  href: string,
  signal: AbortSignal,
): Promise<Result<Address[], "path">> {
  const problem = globProblem(href);
  if (problem) return fail("path", problem);
  const addresses: Address[] = [];
  for (const name of await urls.names(href)) {
    const address = await openAddress(urls, name, signal);
    if (!address.ok) return fail("path", address.message);
    addresses.push(address.value);
  }
  return ok(addresses);
}

/** Addresses are names and not patterns. */
export const globProblem = (href: string): string | undefined =>
  /[*?[{]/.test(href) ? `${href}: an address is a name, no pattern` : undefined;
