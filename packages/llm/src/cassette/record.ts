import { constants, openSync } from "node:fs";
import { codeOf, fail, messageOf, ok, type Result, writeAll } from "@pith/kit";
import { bodyText, type TransportContext, type WrapTransport } from "../route/transport.ts";
import { headLine, type TapeExchange } from "./tape.ts";

/** Bytes of an answer that are recorded; the rest is dropped. */
const mostBytes = 64 * 1024 * 1024;
const keptHeaders = ["content-type", "retry-after"];

/** Records requests and answers. The file must be new: no existing file is overwritten. */
export function recordTo(
  file: string,
  now: () => number,
  lost?: (why: string) => void,
): Result<WrapTransport, "cassette"> {
  let fd: number;
  try {
    fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o600);
  } catch (error) {
    const why = codeOf(error) === "EEXIST" ? "there is something of that name already" : messageOf(error);
    return fail("cassette", `nothing can be recorded in ${file}: ${why}`);
  }
  let open = true;
  // When writing fails, recording stops and the conversation goes on. A torn line can only be the last, so all before
  // it can be played.
  const write = (line: string) => {
    if (!open) return;
    try {
      writeAll(fd, Buffer.from(`${line}\n`));
    } catch (error) {
      open = false;
      lost?.(`Nothing more is recorded in ${file}: ${messageOf(error)}`);
    }
  };
  write(headLine);
  const wrap: WrapTransport = (context, transport) => async (url, init) => {
    const began = now();
    const secrets = [...context.secrets, ...keysIn(init.headers)].filter(({ length }) => length >= 8);
    const recording = { began, context: { ...context, secrets }, body: bodyText(init), now, write };
    const response = await transport(url, init).catch((error: unknown) => {
      writeExchange(recording, undefined, [], "broken");
      throw error;
    });
    return recorded(response, recording);
  };
  return ok(wrap);
}

/** Credentials in the headers: keys that a cloud lends are not among the known secrets. */
const keysIn = (headers: BunFetchRequestInit["headers"]): string[] =>
  [...new Headers(headers)].flatMap(([name, value]) =>
    /authorization|api-key|token|session/.test(name) ? [value.replace(/^\S+ (?=\S+$)/, "")] : [],
  );

interface Recording {
  began: number;
  context: TransportContext;
  body: string;
  now(): number;
  write(line: string): void;
}

/** Passes a response on, and records it when its body has ended or its reader has left. */
function recorded(response: Response, recording: Recording): Response {
  const chunks: [number, Uint8Array][] = [];
  let size = 0;
  let open = true;
  const end = (how: TapeExchange["end"]) => {
    if (open) writeExchange(recording, response, chunks, how);
    open = false;
  };
  const reader = response.body?.getReader();
  if (!reader) {
    end("whole");
    return response;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) {
          end("whole");
          return controller.close();
        }
        size += value.length;
        if (size <= mostBytes) chunks.push([recording.now() - recording.began, value.slice()]);
        controller.enqueue(value);
      } catch (error) {
        end("broken");
        controller.error(error);
      }
    },
    async cancel(reason) {
      // A reader may leave before the last byte; it had all it needed.
      end("whole");
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

function writeExchange(
  { context, body, write }: Recording,
  response: Response | undefined,
  chunks: readonly (readonly [number, Uint8Array])[],
  end: TapeExchange["end"],
): void {
  const { secrets, model, compat, byText } = context;
  const clean = without(
    chunks.map(([, bytes]) => bytes),
    secrets,
  );
  const headers = keptHeaders.flatMap((name) => {
    const value = response?.headers.get(name);
    return value ? [[name, value]] : [];
  });
  const exchange: TapeExchange = {
    model,
    compat,
    byText,
    body: secrets.reduce((text, secret) => text.replaceAll(secret, blank(secret)), body),
    status: response?.status,
    headers: Object.fromEntries(headers),
    chunks: chunks.map(([ms], at) => [Math.round(ms), Buffer.from(clean[at] ?? []).toString("base64")]),
    end,
  };
  write(JSON.stringify(exchange));
}

const blank = (secret: string) => "x".repeat(secret.length);

/** Blanks secrets in chunks, also where one lies across two chunks. */
function without(chunks: readonly Uint8Array[], secrets: readonly string[]): Uint8Array[] {
  const all = Buffer.concat(chunks);
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    for (let at = all.indexOf(bytes); at !== -1; at = all.indexOf(bytes, at)) all.fill("x", at, at + bytes.length);
  }
  let from = 0;
  return chunks.map(({ length }) => {
    from += length;
    return all.subarray(from - length, from);
  });
}
