/** The Native Ads 1.2 request, decoded from the text in `imp[].native.request`. */

/** Read-only: all bid requests with the same text share one decoded request. */
export interface NativeRequest {
  readonly ver?: string;
  readonly context?: number;
  readonly contextsubtype?: number;
  readonly plcmttype?: number;
  readonly plcmtcnt?: number;
  readonly seq?: number;
  readonly assets: readonly NativeAsset[];
  readonly aurlsupport?: number;
  readonly durlsupport?: number;
  readonly eventtrackers?: readonly OfferedTracker[];
  readonly privacy?: number;
}

export interface OfferedTracker {
  readonly event?: number;
  readonly methods?: readonly number[];
}

export interface NativeAsset {
  readonly id: number;
  readonly required?: 0 | 1;
  readonly title?: { readonly len: number };
  readonly img?: {
    readonly type?: number;
    readonly mimes?: readonly string[];
    readonly w?: number;
    readonly wmin?: number;
    readonly h?: number;
    readonly hmin?: number;
  };
  readonly video?: { readonly minduration?: number; readonly maxduration?: number };
  readonly data?: { readonly type: number; readonly len?: number };
}

/** Whether the text has the root key `native` of Native 1.0. The response has the same form. */
export type NativeForm = 'wrapped' | 'unwrapped';

export interface DecodedNativeRequest {
  readonly form: NativeForm;
  readonly native: NativeRequest;
}

/** Why a text is not a valid native request: the row of the error table and what its reason needs. */
export interface NativeError {
  readonly row: 'native.text' | 'native.encodedTwice' | 'native.shape' | 'native.content' | 'native.contentUnsupported';
  readonly context: { readonly path?: string; readonly problem?: string };
}

/** Joi's context during the validation of a bid request: its native requests by their text. */
export interface NativeRequestCache {
  natives: Map<string, DecodedNativeRequest | NativeError>;
}
