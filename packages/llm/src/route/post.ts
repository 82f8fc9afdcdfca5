import { fail, messageOf, ok, type Result } from "@pith/kit";
import { limits } from "../limit.ts";
import { fetchSafely } from "../platform.ts";
import { limitedText } from "./body.ts";

export interface JsonPost {
  url: string;
  body: unknown;
  /** Limits: bytes of the answer, and time for all of it. */
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Posts JSON and returns the JSON answer. Redirects are not followed. */
export async function postJson(post: JsonPost): Promise<Result<unknown, "failed">> {
  const { url, body, maxBytes, timeoutMs, signal } = post;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    if (!/^https?:$/.test(new URL(url).protocol)) return fail("failed", "its address is none of the web");
    const response = await fetchSafely(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.any([signal, late]),
    });
    if (response.status >= 300 && response.status < 400) return fail("failed", "it sends us elsewhere");
    if (!response.ok) return fail("failed", `it answers ${response.status}`);
    return ok(JSON.parse(await limitedText(response, maxBytes)));
  } catch (error) {
    if (late.aborted) return fail("failed", `no answer within ${timeoutMs / 1000} s`);
    return fail("failed", error instanceof SyntaxError ? "its answer is not JSON" : messageOf(error));
  }
}

/** Fetches credentials. Redirects are not followed, and little is read. */
export async function fetchCredential(
  url: URL | string,
  init: RequestInit,
  timeoutMs: number,
): Promise<{ ok: boolean; status: number; text: string }> {
  const answer = await fetchSafely(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
  return { ok: answer.ok, status: answer.status, text: await limitedText(answer, limits.credential) };
}
