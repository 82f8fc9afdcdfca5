import { bytesOf, type Rule, repeated, signatureFor } from "../rule.ts";
import { bool, list, num, obj, oneOf, record, str, word } from "../shape.ts";

export interface GoogleBody {
  contents: { role: string; parts: GooglePart[] }[];
  tools?: { functionDeclarations: { name: string }[] }[];
  generationConfig?: { maxOutputTokens?: number; thinkingConfig?: { thinkingBudget?: number; thinkingLevel?: string } };
}
interface GooglePart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  inlineData?: { mimeType: string; data: string };
  functionCall?: { id?: string; name: string; args?: unknown };
  functionResponse?: {
    id?: string;
    name: string;
    response: unknown;
    parts?: { inlineData?: { mimeType: string; data: string } }[];
  };
}

const reference = "Gemini API reference: generateContent";
const calling = "Function calling with the Gemini API";
const signatures = "Thought signatures";
const images = "Image understanding";

const inline = obj({ mimeType: str, data: str });
const part = oneOf(
  {
    text: str,
    inlineData: inline,
    functionCall: obj({ name: str }, { id: str, args: record }),
    functionResponse: obj(
      { name: str, response: record },
      { id: str, parts: list(obj({ inlineData: inline })), willContinue: bool, scheduling: str },
    ),
  },
  { thought: bool, thoughtSignature: str },
);
const declaration = obj(
  { name: str, description: str },
  { parametersJsonSchema: record, parameters: record, response: record },
);
const shape = obj(
  { contents: list(obj({ parts: list(part) }, { role: word("user", "model") }), 1) },
  {
    systemInstruction: obj({ parts: list(obj({ text: str }), 1) }, { role: str }),
    tools: list(obj({}, { functionDeclarations: list(declaration), googleSearch: record })),
    toolConfig: obj({
      functionCallingConfig: obj(
        { mode: word("AUTO", "ANY", "NONE", "VALIDATED") },
        { allowedFunctionNames: list(str) },
      ),
    }),
    safetySettings: list(record),
    cachedContent: str,
    labels: record,
    serviceTier: str,
    generationConfig: obj(
      {},
      {
        maxOutputTokens: num,
        temperature: num,
        topP: num,
        topK: num,
        seed: num,
        stopSequences: list(str),
        frequencyPenalty: num,
        presencePenalty: num,
        responseMimeType: str,
        responseSchema: record,
        responseModalities: list(str),
        mediaResolution: str,
        thinkingConfig: obj(
          {},
          {
            includeThoughts: bool,
            thinkingBudget: num,
            thinkingLevel: word("minimal", "low", "medium", "high", "MINIMAL", "LOW", "MEDIUM", "HIGH"),
          },
        ),
      },
    ),
  },
);

const calls = (content: GoogleBody["contents"][number] | undefined) =>
  (content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
const answers = (content: GoogleBody["contents"][number] | undefined) =>
  (content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []);
const inlined = (body: GoogleBody) =>
  body.contents
    .flatMap(({ parts }) => parts)
    .flatMap((part) => [part.inlineData, ...(part.functionResponse?.parts ?? []).map(({ inlineData }) => inlineData)])
    .filter((part) => part !== undefined);
const calling1 = (body: GoogleBody) => body.contents.find((content) => calls(content).length > 0);
const responding = (body: GoogleBody) => body.contents.find((content) => answers(content).length > 0);
/** Index of the last user message: the running turn follows. */
const turnStart = ({ contents }: GoogleBody) =>
  contents.findLastIndex((content) => content.role === "user" && answers(content).length === 0);

export const googleRules: readonly Rule<GoogleBody>[] = [
  {
    name: "key",
    says: "every request carries a key, or at Vertex a token",
    page: "Gemini API: keys",
    status: 403,
    check: ({ headers }) =>
      headers.get("x-goog-api-key") || headers.get("authorization")
        ? undefined
        : "Method doesn't allow unregistered callers",
    broken: (_, headers) => {
      for (const name of ["x-goog-api-key", "authorization"]) headers.delete(name);
    },
  },
  {
    name: "shape",
    says: "fields have the documented names and types, and a part holds exactly one kind of data",
    page: reference,
    check: ({ body }) => {
      const misfit = shape(body, "body");
      return misfit && `Invalid JSON payload received. ${misfit}`;
    },
    broken: [
      (body) => Object.assign(body, { messages: [] }),
      (body) => delete (body as Partial<GoogleBody>).contents,
      (body) => Object.assign(body.contents[0] ?? {}, { role: "assistant" }),
      (body) => Object.assign(calls(calling1(body))[0] ?? {}, { arguments: {} }),
    ],
  },
  {
    name: "empty content",
    says: "a content has at least one part, and a text part some text",
    page: reference,
    check: ({ body }) =>
      body.contents.some(({ parts }) => parts.length === 0 || parts.some(({ text }) => text === ""))
        ? "contents.parts: must not be empty"
        : undefined,
    broken: [
      (body) => body.contents.push({ role: "user", parts: [] }),
      (body) => body.contents.push({ role: "user", parts: [{ text: "" }] }),
    ],
  },
  {
    name: "call turn",
    says: "a turn with function calls comes directly after a turn of the user or after function responses",
    page: calling,
    check: ({ body: { contents } }) =>
      contents.some((content, at) => calls(content).length > 0 && contents[at - 1]?.role !== "user")
        ? "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
        : undefined,
    broken: (body) => body.contents.shift(),
  },
  {
    name: "response turn",
    says: "a turn with function responses comes directly after the calls, with as many parts as these",
    page: calling,
    check: ({ body: { contents } }) =>
      contents.some(
        (content, at) => answers(content).length > 0 && answers(content).length !== calls(contents[at - 1]).length,
      )
        ? "Please ensure that the number of function response parts is equal to " +
          "the number of function call parts of the function call turn."
        : undefined,
    broken: [
      (body) => responding(body)?.parts.splice(0, 1),
      (body) =>
        body.contents.push({
          role: "user",
          parts: [{ functionResponse: { name: "read", response: { output: "x" } } }],
        }),
    ],
  },
  {
    name: "unanswered call",
    says: "function calls are answered before the conversation goes on",
    page: calling,
    check: ({ body: { contents } }) =>
      contents.some((content, at) => calls(content).length > 0 && answers(contents[at + 1]).length === 0)
        ? "Please ensure that function call turns are followed by function response turns."
        : undefined,
    broken: (body) => {
      const at = body.contents.findIndex((content) => answers(content).length > 0);
      body.contents.splice(at, 1, { role: "user", parts: [{ text: "never mind" }] });
    },
  },
  {
    name: "response name",
    says: "a function response has the name, and where given the id, of its call",
    page: calling,
    check: ({ body: { contents } }) =>
      contents.some((content, at) => {
        const called = calls(contents[at - 1]).map(({ name, id }) => `${id ?? ""}:${name}`);
        return answers(content).some(({ name, id }) => !called.includes(`${id ?? ""}:${name}`));
      })
        ? "function response does not match a function call"
        : undefined,
    broken: (body) => Object.assign(answers(responding(body))[0] ?? {}, { name: "other" }),
  },
  {
    name: "signature",
    says: "a thought signature comes back in the part it came with",
    page: signatures,
    check: ({ body }) =>
      body.contents.some(({ parts }) =>
        parts.some(
          ({ thoughtSignature, ...rest }) =>
            thoughtSignature !== undefined &&
            !known.includes(thoughtSignature) &&
            thoughtSignature !== signatureOf(rest),
        ),
      )
        ? "Thought signature is not valid"
        : undefined,
    broken: (body) =>
      Object.assign(calling1(body)?.parts.find(({ functionCall }) => functionCall) ?? {}, {
        thoughtSignature: "bm90IG91cnM=",
      }),
  },
  {
    name: "signed call",
    says: "Gemini 3 wants the first function call of every step of the running turn signed",
    page: signatures,
    check: ({ body, url }) =>
      url.pathname.includes("gemini-3") &&
      body.contents.slice(turnStart(body) + 1).some((content) => {
        const first = content.parts.find(({ functionCall }) => functionCall);
        return first !== undefined && first.thoughtSignature === undefined;
      })
        ? "Function call is missing a thought_signature in functionCall parts."
        : undefined,
    broken: (body) => {
      // The first step still runs.
      body.contents.length = 3;
      for (const content of body.contents)
        for (const part of content.parts) if (part.functionCall) delete part.thoughtSignature;
    },
  },
  {
    name: "tool name",
    says: "function names begin with a letter or underscore, have up to 64 characters, and are declared once",
    page: calling,
    check: ({ body }) => {
      const names = (body.tools ?? []).flatMap(({ functionDeclarations }) =>
        functionDeclarations.map(({ name }) => name),
      );
      return repeated(names) || names.some((name) => !/^[a-zA-Z_][\w.:-]{0,63}$/.test(name))
        ? "Invalid function name"
        : undefined;
    },
    broken: [
      (body) => Object.assign(body.tools?.[0]?.functionDeclarations[0] ?? {}, { name: "9 lives" }),
      (body) => body.tools?.[0]?.functionDeclarations.push({ name: "read", description: "again" } as { name: string }),
    ],
  },
  {
    name: "thinking",
    says: "a thinking level and a thinking budget exclude each other",
    page: "Gemini thinking",
    check: ({ body: { generationConfig } }) =>
      generationConfig?.thinkingConfig?.thinkingBudget !== undefined &&
      generationConfig.thinkingConfig.thinkingLevel !== undefined
        ? "You can only set only one of thinking budget and thinking level."
        : undefined,
    broken: (body) =>
      Object.assign(body, { generationConfig: { thinkingConfig: { thinkingBudget: 1024, thinkingLevel: "low" } } }),
  },
  {
    name: "output limit",
    says: "the output limit is positive",
    page: reference,
    check: ({ body: { generationConfig } }) =>
      (generationConfig?.maxOutputTokens ?? 1) < 1 ? "max_output_tokens must be positive." : undefined,
    broken: (body) => Object.assign(body, { generationConfig: { maxOutputTokens: 0 } }),
  },
  {
    name: "image type",
    says: "images are PNG, JPEG, WebP, HEIC or HEIF",
    page: images,
    check: ({ body }) =>
      inlined(body).some(({ mimeType }) => !/^image\/(png|jpeg|webp|heic|heif)$/.test(mimeType))
        ? "Unsupported MIME type"
        : undefined,
    broken: (body) => Object.assign(inlined(body)[0] ?? {}, { mimeType: "image/tiff" }),
  },
  {
    name: "image data",
    says: "inline data is base64",
    page: reference,
    check: ({ body }) =>
      inlined(body).some(({ data }) => !/^[A-Za-z0-9+/]+=*$/.test(data)) ? "Base64 decoding failed" : undefined,
    broken: (body) => Object.assign(inlined(body)[0] ?? {}, { data: "not base64!" }),
  },
  {
    name: "inline size",
    says: "a request with inline data has at most 20 MB",
    page: images,
    check: ({ body }) =>
      inlined(body).reduce((sum, { data }) => sum + bytesOf(data), 0) > 20 * 1024 * 1024
        ? "Request payload size exceeds the limit"
        : undefined,
    broken: (body) => Object.assign(inlined(body)[0] ?? {}, { data: "A".repeat(28_000_000) }),
  },
];

/** Words the documentation gives for calls that this model did not make. */
const known: readonly string[] = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

export const signatureOf = ({ text, functionCall }: Pick<GooglePart, "text" | "functionCall">): string =>
  signatureFor(text ?? `${functionCall?.name}${JSON.stringify(functionCall?.args ?? {})}`);
