import { literal, sent, string } from "./schema.ts";

/** An image that comes from outside: it is recorded and goes out with every later request, so a bad one is refused. */
export const picture = sent({
  type: literal("image"),
  data: string().regex(/^[A-Za-z\d+/]{8,}={0,2}$/, "must be base64"),
  mimeType: string().regex(/^image\/(png|jpeg|gif|webp)$/, "must be a PNG, JPEG, GIF or WebP"),
});
