/** Signs that a person does not see, or that turn what they see around. */
export const hiddenCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
  /[\x01-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|\r(?!\n)/u;

/** Signs that are in no program's name: they look like others, or do not show. */
export const nonAsciiName = /[^\x20-\x7e]/;
