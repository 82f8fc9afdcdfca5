import type { AssistantMessage, Image, Message, Text, ToolResultMessage, UserMessage } from "../message/message.ts";
import type { Request } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";
import type { Model } from "../model/model.ts";
import { Arranger } from "./history.ts";
import { Joiner } from "./join.ts";
import type { Protocol } from "./protocol.ts";

/** Encoders of a protocol's messages, `E` being the encoded form. */
interface MessageEncoders<E> {
  user(message: UserMessage, cache: EncodeCache<E>): E;
  assistant(message: AssistantMessage, cache: EncodeCache<E>): E;
  toolResult(message: ToolResultMessage, cache: EncodeCache<E>): E;
}

/** The `encode` of a protocol: `write` makes the body. Models differ in the bytes of a message, so each has a cache. */
export function encodeWith<E>(
  defaults: Compat,
  encoders: MessageEncoders<E>,
  write: (request: Request, cache: EncodeCache<E>) => string[],
): Protocol["encode"] {
  const caches = new WeakMap<Model, EncodeCache<E>>();
  return (request) => {
    const cache = caches.get(request.model) ?? new EncodeCache(request.model, defaults, encoders);
    caches.set(request.model, cache);
    return write(request, cache);
  };
}

/** Encodes requests for one model, and keeps what has been encoded. Messages are never changed in place. */
export class EncodeCache<E> {
  readonly model: Model;
  readonly compat: Compat;
  readonly #encoders: MessageEncoders<E>;
  readonly #known = new WeakMap<object, unknown>();
  readonly #arranger = new Arranger();
  readonly #joiner: Joiner;

  constructor(model: Model, defaults: Compat, encoders: MessageEncoders<E>) {
    this.model = model;
    this.compat = { ...defaults, ...model.compat };
    this.#encoders = encoders;
    this.#joiner = new Joiner(this.compat);
  }

  /** The history, arranged for this protocol. */
  arranged(messages: readonly Message[]): Message[] {
    return this.#joiner.join(this.#arranger.arrange(messages));
  }

  message(message: Message): E {
    return this.once(message, this.#encoders[message.role] as (message: Message, cache: this) => E);
  }

  /** Encodes an object once, so that a step costs only what is new. */
  once<T extends object, R>(source: T, encode: (source: T, cache: this) => R): R {
    const known = this.#known.get(source) as R | undefined;
    if (known !== undefined) return known;
    const fresh = encode(source, this);
    this.#known.set(source, fresh);
    return fresh;
  }

  /** True when this very model wrote the message: its signatures are valid for no other. */
  isOwn({ api, provider, model }: AssistantMessage): boolean {
    return api === this.model.api && provider === this.model.vendor && model === this.model.id;
  }

  /**
   * Parts of a message that can be sent: no blank texts, which some servers refuse, and a note in place of images that
   * the model cannot see.
   */
  parts(content: UserMessage["content"], sees = this.model.input.includes("image")): (Text | Image)[] {
    const parts: (Text | Image)[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return parts
      .map((part) => (part.type === "image" && !sees ? leftOut(part) : part))
      .filter((part) => part.type === "image" || part.text.trim() !== "");
  }

  /** Text and images of a tool result. */
  result({ content }: ToolResultMessage, sees?: boolean): { text: string; images: Image[] } {
    const parts = this.parts(content, sees);
    const images = parts.filter((part) => part.type === "image");
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return { text: text || (images.length > 0 ? "(an image)" : "(no output)"), images };
  }
}

const leftOut = ({ mimeType }: Image): Text => ({
  type: "text",
  text: `[${mimeType} left out: this model reads text only]`,
});
