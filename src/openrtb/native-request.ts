/** The Native Ads 1.2 request that travels as text in `imp[].native.request`, decoded. */

export interface NativeRequest {
  ver?: string;
  assets: NativeAsset[];
  /** Not validated: whatever the caller sent. */
  eventtrackers?: unknown;
}

export interface NativeAsset {
  id: number;
  required?: 0 | 1;
  title?: { len: number };
  img?: { type?: number; w?: number; wmin?: number; h?: number; hmin?: number };
  video?: { minduration?: number; maxduration?: number };
  data?: { type: number; len?: number };
}

/** Whether the text had the `native` root key of Native 1.0 or not; an answer mirrors it. */
export type NativeForm = 'wrapped' | 'unwrapped';

export interface DecodedNativeRequest {
  form: NativeForm;
  native: NativeRequest;
}
