import { limits } from "../limit.ts";
import { fetchSafely } from "../platform.ts";
import { limitedText } from "./body.ts";
import type { Endpoint } from "./endpoint.ts";

/** Where a server of a protocol says what it has: the path, the list in its answer, and the name in a row of it. */
export interface Listing {
  path: string;
  list: "data" | "models";
  name: "id" | "name";
}

export type ListingRow = Readonly<Record<string, unknown>>;

export interface JsonQuery {
  endpoint: Pick<Endpoint, "url">;
  path: string;
  init?: Parameters<typeof fetchSafely>[1];
  timeoutMs: number;
  /** Is told why there is no answer. */
  failed?: ((why: string) => void) | undefined;
}

/** What a server answers, where that is JSON and comes in time. Whoever listens may be anybody: little is read. */
export async function queryJson({ endpoint, path, init = {}, timeoutMs, failed }: JsonQuery): Promise<unknown> {
  const [below = "", query = ""] = path.split("?");
  const target = new URL(endpoint.url);
  target.pathname = target.pathname.replace(/\/+$/, "") + below;
  for (const [name, value] of new URLSearchParams(query)) target.searchParams.set(name, value);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetchSafely(target, { method: "GET", ...init, redirect: "manual", signal });
    if (response.ok && (response.headers.get("content-type") ?? "").includes("json"))
      return JSON.parse(await limitedText(response, limits.models));
    failed?.(response.ok ? "it answers with something that is not JSON" : `it answers ${response.status}`);
  } catch (error) {
    const slow = error instanceof Error && error.name === "TimeoutError";
    const broken = error instanceof SyntaxError ? "its answer is not JSON" : "nobody answers";
    failed?.(slow ? `no answer within ${timeoutMs} ms` : broken);
  }
  return undefined;
}

/** The rows of a list in an answer; undefined when there is no such list. */
export function listingRows(answer: unknown, list: string): ListingRow[] | undefined {
  const listed = (answer as ListingRow | undefined)?.[list];
  return Array.isArray(listed)
    ? listed.filter((row): row is ListingRow => typeof row === "object" && row !== null)
    : undefined;
}

/** The names in such an answer, as a request says them. */
export function listedNames(answer: unknown, { list, name }: Listing): string[] {
  return (listingRows(answer, list) ?? []).flatMap((row) => {
    const id = row[name];
    return typeof id === "string" && id !== "" ? [id.replace(/^models\//, "")] : [];
  });
}
