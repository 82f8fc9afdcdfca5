export const editModes = ["hashline", "replace", "patch", "apply_patch"] as const;
export type EditMode = (typeof editModes)[number];

export interface EditChoice {
  /** `PITH_EDIT_VARIANT`. */
  variant: string | undefined;
  /** Undefined where nobody has set it. */
  setting: EditMode | undefined;
  /** True for a model that was taught to write patches as they are, without JSON around them. */
  freeform: boolean;
}

/** The environment's word counts when it is one we know, then the setting, then what the model knows best. */
export const editModeOf = ({ variant, setting, freeform }: EditChoice): EditMode =>
  editModes.find((mode) => mode === variant) ?? setting ?? (freeform ? "apply_patch" : "hashline");
