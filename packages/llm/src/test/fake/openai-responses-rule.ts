import { type Rule, repeated } from "../rule.ts";
import { bool, either, list, nil, num, obj, record, str, tagged, word } from "../shape.ts";

export interface ResponsesBody {
  model: string;
  store?: boolean;
  max_output_tokens?: number;
  tools?: { type: string; name: string }[];
  input: ResponsesItem[];
}
interface ResponsesItem {
  type?: string;
  role?: string;
  id?: string;
  call_id?: string;
  name?: string;
  arguments?: string;
  output?: string | { type: string; text?: string; image_url?: string }[];
  summary?: unknown[];
  encrypted_content?: string | null;
  content?: string | { type: string; text?: string; image_url?: string }[];
}

const reference = "Responses API reference";
const reasoningPage = "Reasoning models guide: keeping reasoning items in context";
const calling = "Function calling guide";
const compactPage = "Responses API reference: compact a response";
const vision = "Images and vision guide";

const inputText = obj({ type: str, text: str });
const inputImage = obj({ type: str, image_url: str }, { detail: word("low", "high", "auto", "original") });
const inputs = either(str, list(tagged("type", { input_text: inputText, input_image: inputImage }), 1));
const outputs = either(
  str,
  list(
    tagged("type", {
      output_text: obj({ type: str, text: str }, { annotations: list(record), logprobs: list(record) }),
      refusal: record,
    }),
    1,
  ),
);
const byRole = {
  user: obj({ role: str, content: inputs }, { type: str }),
  system: obj({ role: str, content: inputs }, { type: str }),
  developer: obj({ role: str, content: inputs }, { type: str }),
  assistant: obj(
    { role: str, content: outputs },
    { type: str, id: str, status: str, phase: word("commentary", "final_answer") },
  ),
};
const byType = {
  message: tagged("role", byRole),
  function_call: obj({ type: str, call_id: str, name: str, arguments: str }, { id: str, status: str }),
  function_call_output: obj({ type: str, call_id: str, output: inputs }, { id: str, status: str }),
  custom_tool_call: obj({ type: str, call_id: str, name: str, input: str }, { id: str, status: str }),
  custom_tool_call_output: obj({ type: str, call_id: str, output: inputs }, { id: str }),
  compaction: obj({ type: str, encrypted_content: str }, { id: str }),
  reasoning: obj(
    { type: str, id: str, summary: list(obj({ type: word("summary_text"), text: str })) },
    { encrypted_content: either(nil, str), status: str },
  ),
};
const tool = tagged("type", {
  function: obj({ type: str, name: str, parameters: record }, { description: str, strict: either(bool, nil) }),
  custom: obj(
    { type: str, name: str },
    {
      description: str,
      format: obj({ type: word("text", "grammar") }, { syntax: word("lark", "regex"), definition: str }),
    },
  ),
});
const input = list(either(tagged("type", byType), tagged("role", byRole)), 1);
const shape = obj(
  { model: str, input },
  {
    stream: bool,
    store: bool,
    include: list(str),
    instructions: str,
    max_output_tokens: num,
    reasoning: obj(
      {},
      {
        effort: word("none", "minimal", "low", "medium", "high", "xhigh", "max"),
        summary: word("auto", "concise", "detailed"),
      },
    ),
    tools: list(tool),
    tool_choice: either(word("none", "auto", "required"), record),
    parallel_tool_calls: bool,
    temperature: num,
    top_p: num,
    text: record,
    truncation: str,
    metadata: record,
    prompt_cache_key: str,
    prompt_cache_retention: str,
    safety_identifier: str,
    service_tier: str,
    user: str,
  },
);

const isCall = ({ type }: ResponsesItem) => type === "function_call" || type === "custom_tool_call";
const isOutput = ({ type }: ResponsesItem) => type === "function_call_output" || type === "custom_tool_call_output";
const callIds = (items: readonly ResponsesItem[]) =>
  items.flatMap((item) => (isCall(item) ? [item.call_id ?? ""] : []));
const reasonings = ({ input }: ResponsesBody) => input.filter(({ type }) => type === "reasoning");
const parts = ({ content, output }: ResponsesItem) =>
  [content, output].flatMap((list) => (Array.isArray(list) ? list : []));
const images = ({ input }: ResponsesBody) => input.flatMap(parts).filter(({ image_url }) => image_url !== undefined);
/** Items of one answer share the number behind their prefix; that is how this server knows what belongs together. */
const numberOf = (id: string | undefined) => /_(\d+)$/.exec(id ?? "")?.[1];

export const responsesRules: readonly Rule<ResponsesBody>[] = [
  {
    name: "key",
    says: "every request carries the key, as a bearer token or, at Azure, in api-key",
    page: "API reference: authentication",
    status: 401,
    check: ({ headers }) =>
      headers.get("authorization") || headers.get("api-key") ? undefined : "You didn't provide an API key",
    broken: (_, headers) => {
      for (const name of ["api-key", "authorization"]) headers.delete(name);
    },
  },
  {
    name: "shape",
    says: "fields and items have the documented names and types, and unknown parameters are refused",
    page: reference,
    check: ({ body }) => shape(body, "body"),
    broken: [
      (body) => delete (body as Partial<ResponsesBody>).input,
      (body) => Object.assign(body, { max_tokens: 1 }),
      (body) => body.input.push({ role: "user", content: [{ type: "output_text", text: "x" }] }),
      (body) => body.input.push({ role: "assistant", content: [{ type: "input_text", text: "x" }] }),
    ],
  },
  {
    name: "output limit",
    says: "max_output_tokens is at least 16",
    page: reference,
    check: ({ body: { max_output_tokens: limit } }) =>
      limit !== undefined && limit < 16 ? "Invalid 'max_output_tokens': integer below minimum value" : undefined,
    broken: (body) => Object.assign(body, { max_output_tokens: 1 }),
  },
  {
    name: "item id",
    says: "the id of an item begins with the prefix of its kind and has at most 64 characters",
    page: reference,
    check: ({ body }) => {
      const prefixes: Record<string, string> = {
        function_call: "fc",
        custom_tool_call: "ctc",
        reasoning: "rs",
        compaction: "cmp",
        message: "msg",
      };
      const wrong = body.input.find(
        ({ type = "message", id }) => id !== undefined && (!id.startsWith(prefixes[type] ?? "") || id.length > 64),
      );
      return wrong
        ? `Invalid 'input.id': '${wrong.id}'. Expected an ID that begins with '${prefixes[wrong.type ?? "message"]}'`
        : undefined;
    },
    broken: (body) => Object.assign(body.input.find(isCall) ?? {}, { id: "toolu_1" }),
  },
  {
    name: "call id",
    says: "the id of a call has 1 to 64 characters and stands for one call only",
    page: calling,
    check: ({ body }) => {
      const ids = callIds(body.input);
      return repeated(ids) || ids.some((id) => id === "" || id.length > 64) ? "Invalid 'input.call_id'" : undefined;
    },
    broken: [
      (body) => body.input.push({ type: "function_call", call_id: "x".repeat(65), name: "read", arguments: "{}" }),
      (body) => body.input.push({ ...body.input.find(isCall) }),
    ],
  },
  {
    name: "unanswered call",
    says: "every call in the input has its output after it",
    page: calling,
    check: ({ body: { input } }) => {
      const open = input.findIndex(
        (item, at) =>
          isCall(item) && !input.slice(at).some((other) => isOutput(other) && other.call_id === item.call_id),
      );
      return open === -1 ? undefined : `No tool output found for function call ${input[open]?.call_id}.`;
    },
    broken: (body) => body.input.splice(body.input.findIndex(isOutput), 1),
  },
  {
    name: "result without call",
    says: "every output in the input answers a call before it, of its own kind, once",
    page: calling,
    check: ({ body: { input } }) =>
      input.some((item, at) => {
        if (!isOutput(item)) return false;
        const before = input.slice(0, at);
        const call = before.find((other) => isCall(other) && other.call_id === item.call_id);
        return (
          call?.type !== item.type?.replace("_output", "") ||
          before.some((other) => isOutput(other) && other.call_id === item.call_id)
        );
      })
        ? "No tool call found for function call output"
        : undefined,
    broken: [
      (body) => body.input.push({ type: "function_call_output", call_id: "call_none", output: "x" }),
      (body) => Object.assign(body.input.find(isOutput) ?? {}, { type: "custom_tool_call_output" }),
    ],
  },
  {
    name: "reasoning kept",
    says: "where nothing is stored, reasoning comes back with its encrypted content",
    page: reasoningPage,
    status: 404,
    check: ({ body }) =>
      body.store === false && reasonings(body).some(({ encrypted_content }) => !encrypted_content)
        ? "Item not found. Items are not persisted when `store` is set to false"
        : undefined,
    broken: (body) => delete reasonings(body)[0]?.encrypted_content,
  },
  {
    name: "encrypted content",
    says: "encrypted reasoning comes back as it was sent",
    page: reasoningPage,
    check: ({ body }) =>
      reasonings(body).some(
        ({ id, encrypted_content }) => encrypted_content && encrypted_content !== `sealed:${numberOf(id)}`,
      )
        ? "The encrypted content could not be verified"
        : undefined,
    broken: (body) => Object.assign(reasonings(body)[0] ?? {}, { encrypted_content: "other" }),
  },
  {
    name: "compaction kept",
    says: "a compaction item comes back as the server made it",
    page: compactPage,
    check: ({ body: { input: items } }) =>
      items.some(({ type, id, encrypted_content: content }) => type === "compaction" && content !== `window:${id}`)
        ? "The encrypted content of a compaction item could not be verified"
        : undefined,
    broken: (body) => body.input.push({ type: "compaction", id: "cmp_1", encrypted_content: "window:cmp_2" }),
  },
  {
    name: "reasoning followed",
    says: "a reasoning item is followed by the item it led to",
    page: reasoningPage,
    check: ({ body: { input } }) =>
      input.some(
        ({ type }, at) =>
          type === "reasoning" &&
          !(isCall(input[at + 1] ?? {}) || input[at + 1]?.role === "assistant" || input[at + 1]?.type === "reasoning"),
      )
        ? "Item of type 'reasoning' was provided without its required following item."
        : undefined,
    broken: (body) => body.input.push({ type: "reasoning", id: "rs_9", summary: [], encrypted_content: "sealed:9" }),
  },
  {
    name: "reasoning before",
    says: "an item that is named by its id comes with the reasoning it was made with",
    page: reasoningPage,
    check: ({ body: { input } }) =>
      input.some(
        ({ type, id }, at) =>
          type !== "reasoning" &&
          type !== "compaction" &&
          numberOf(id) !== undefined &&
          !input.slice(0, at).some((other) => other.type === "reasoning" && numberOf(other.id) === numberOf(id)),
      )
        ? "Item was provided without its required 'reasoning' item"
        : undefined,
    broken: (body) => {
      body.input = body.input.filter(({ type }) => type !== "reasoning");
    },
  },
  {
    name: "tool name",
    says: "names of tools have up to 64 letters, digits, underscores and hyphens",
    page: calling,
    check: ({ body }) =>
      [...(body.tools ?? []), ...body.input].some(
        ({ name }) => name !== undefined && !/^[a-zA-Z0-9_-]{1,64}$/.test(name),
      )
        ? "Invalid 'name': string does not match pattern"
        : undefined,
    broken: [
      (body) => Object.assign(body.tools?.[0] ?? {}, { name: "a b" }),
      (body) => Object.assign(body.input.find(isCall) ?? {}, { name: "a.b" }),
    ],
  },
  {
    name: "image type",
    says: "images are PNG, JPEG, WebP or GIF, as an address or a base64 data URL",
    page: vision,
    check: ({ body }) =>
      images(body).some(
        ({ image_url = "" }) => !/^(https?:|data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$)/.test(image_url),
      )
        ? "Invalid image"
        : undefined,
    broken: (body) => Object.assign(images(body)[0] ?? {}, { image_url: "data:image/tiff;base64,aGk=" }),
  },
  {
    name: "image count",
    says: "a request holds at most 500 images",
    page: vision,
    check: ({ body }) => (images(body).length > 500 ? "Too many images in request" : undefined),
    broken: (body) =>
      body.input.push({
        role: "user",
        content: Array.from({ length: 501 }, () => ({ type: "input_image", image_url: "data:image/png;base64,aGk=" })),
      }),
  },
];

const compactShape = obj({ model: str, input }, { instructions: str, previous_response_id: str });

/** Rules of the endpoint for summaries: the same input and few other fields. */
export const compactRules: readonly Rule<ResponsesBody>[] = responsesRules.map((rule) =>
  rule.name === "shape"
    ? {
        ...rule,
        page: compactPage,
        check: ({ body }) => compactShape(body, "body"),
        broken: (body) => Object.assign(body, { stream: true }),
      }
    : rule,
);
