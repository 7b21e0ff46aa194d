/** The Native Ads 1.2 request that travels as text in `imp[].native.request`, decoded. */

/** Read-only: one decoded request serves all bid requests that bring the same text. */
export interface NativeRequest {
  readonly ver?: string;
  readonly assets: readonly NativeAsset[];
  /** Not validated: whatever the caller sent. */
  readonly eventtrackers?: unknown;
}

export interface NativeAsset {
  readonly id: number;
  readonly required?: 0 | 1;
  readonly title?: { readonly len: number };
  readonly img?: {
    readonly type?: number;
    readonly w?: number;
    readonly wmin?: number;
    readonly h?: number;
    readonly hmin?: number;
  };
  readonly video?: { readonly minduration?: number; readonly maxduration?: number };
  readonly data?: { readonly type: number; readonly len?: number };
}

/** Whether the text had the `native` root key of Native 1.0 or not; an answer mirrors it. */
export type NativeForm = 'wrapped' | 'unwrapped';

export interface DecodedNativeRequest {
  readonly form: NativeForm;
  readonly native: NativeRequest;
}

/** What is wrong with a text: the row of the error table, and where inside and why if it could be read. */
export interface NativeError {
  readonly row: 'native.text' | 'native.shape' | 'native.content' | 'native.contentUnsupported';
  readonly known: { readonly inner?: string; readonly problem?: string };
}

/** Joi's context while a bid request is judged: what the texts of native requests hold, each decoded once. */
export interface DecodedNatives {
  natives: Map<string, DecodedNativeRequest | NativeError>;
}
