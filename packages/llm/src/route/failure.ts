import { codeOf, messageOf, plainText } from "@pith/kit";
import type { Failure } from "../message/stream.ts";
import { type ErrorReport, failureKind, readError } from "../protocol/failure.ts";
import { retryAfter } from "./retry-after.ts";

/** Names for messages: vendor, address, and the variables that set them. */
export interface RequestTarget {
  vendor: string;
  /** Address without credentials and query; safe to show. */
  shown: string;
  /** Variable that sets the target. */
  baseVariable: string;
  keyVariable: string;
  /** Removed from messages. */
  secrets: readonly string[];
}

/** The failure for an error status. */
export function httpFailure(
  { status, headers }: Pick<Response, "status" | "headers">,
  { body, model, now }: { body: string; model: string; now: number },
  target: RequestTarget,
): Failure {
  // AWS names the error in a header.
  const named = headers.get("x-amzn-errortype")?.split(":")[0];
  const parsed = readBody(body);
  const report: ErrorReport = { ...parsed, type: parsed.type ?? named, status };
  const kind = failureKind(report);
  const said = cleanMessage(report.message, target.secrets);
  const tail = said === "" ? "." : `: ${said}`;
  const { vendor, keyVariable, baseVariable, shown } = target;
  const location = headers.get("location");
  const messages: Partial<Record<Failure["kind"], string>> = {
    auth: `${vendor} did not accept the request (${status})${tail}\nCheck ${keyVariable} and the account behind it.`,
    missing:
      location === null
        ? `${vendor} does not know the model "${model}" or the address ${shown} (${status})${tail}
Check the model's name and ${baseVariable} (a version path such as /v1 is part of it).`
        : `${shown} has moved to ${cleanMessage(location, target.secrets)} (${status}). \
If that is right, put it into ${baseVariable}.`,
  };
  const message = messages[kind] ?? `${vendor} answered ${status}${tail}`;
  return { kind, message, status, retryAfterMs: retryAfter(headers, now) ?? report.retryAfterMs };
}

/** The failure for a web page: the login page of a network, or a wrong target. */
export const pageFailure = ({ shown, baseVariable }: RequestTarget): Failure => ({
  kind: "missing",
  message: `${shown} answered with a web page, not with a model's answer.
Check ${baseVariable} (a version path such as /v1 is part of it).`,
});

/** The failure for a request without an answer. */
export function networkFailure(thrown: unknown, target: RequestTarget): Failure {
  const code = codeOf(thrown) ?? codeOf((thrown as { cause?: unknown } | null)?.cause) ?? "";
  const why = reasons[code] ?? cleanMessage(messageOf(thrown), target.secrets).replace(/ fetching ".*|[.?!]+$/s, "");
  return {
    kind: "network",
    message: `could not reach ${target.shown}: ${why}.
Is the server running and the network up? ${target.baseVariable} sets the target.`,
  };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name could not be looked up",
  ECONNRESET: "the connection was closed",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  EPROTO: "there is no TLS at this address (http instead of https?)",
  Malformed_HTTP_Response: "what answered does not speak HTTP",
};

/** A server's message as it may be shown: plain, short, without keys. */
export function cleanMessage(text: string, secrets: readonly string[]): string {
  let safe = plainText(text);
  // Short placeholders like `x` are no secrets; removing them would destroy the text.
  for (const secret of secrets) if (secret.length >= 8) safe = safe.replaceAll(secret, "***");
  // Servers quote a part of a wrong key.
  safe = safe
    .replace(/\bsk-[\w*.-]{8,}/g, "sk-***")
    .replace(/\s+/g, " ")
    .trim();
  return safe.length > 500 ? `${safe.slice(0, 500).toWellFormed()}…` : safe;
}

function readBody(body: string): ErrorReport {
  try {
    const report = readError(JSON.parse(body));
    if (report) return report;
  } catch {
    // Not JSON: a proxy's page or plain text.
  }
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  return { message: title ?? (/^\s*</.test(body) ? "" : body) };
}
