import { limits } from "../limit.ts";
import { fetchSafely } from "../platform.ts";
import { limitedText } from "./body.ts";
import { type Endpoint, urlBelow } from "./endpoint.ts";

/** Format of a protocol's model lists: path, field of the list, field of the name. */
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
  /** Called with the reason when there is no answer. */
  failed?: ((why: string) => void) | undefined;
}

/** Fetches JSON from a server; undefined on failure. The server may be anybody's, so little is read. */
export async function queryJson({ endpoint, path, init = {}, timeoutMs, failed }: JsonQuery): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetchSafely(urlBelow(endpoint.url, path), {
      method: "GET",
      ...init,
      redirect: "manual",
      signal,
    });
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

/** Rows of a list in an answer; undefined without such a list. */
export function listingRows(answer: unknown, list: string): ListingRow[] | undefined {
  const listed = (answer as ListingRow | undefined)?.[list];
  return Array.isArray(listed)
    ? listed.filter((row): row is ListingRow => typeof row === "object" && row !== null)
    : undefined;
}

/** Model names in an answer, in the form that requests use. */
export function listedNames(answer: unknown, { list, name }: Listing): string[] {
  return (listingRows(answer, list) ?? []).flatMap((row) => {
    const id = row[name];
    return typeof id === "string" && id !== "" ? [id.replace(/^models\//, "")] : [];
  });
}
