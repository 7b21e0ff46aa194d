/** The Native Ads 1.2 response: the members that the exchange writes. */

export interface NativeResponse {
  ver?: string;
  assets: ResponseAsset[];
  link: Link;
  imptrackers?: readonly string[];
  jstracker?: string;
  eventtrackers?: readonly EventTracker[];
  privacy?: string;
}

/** It has exactly one kind. */
export interface ResponseAsset {
  id: number;
  required?: 0 | 1;
  title?: { text: string };
  img?: ResponseImage;
  video?: { vasttag: string };
  data?: { value: string; type?: number };
  link?: Link;
}

export interface ResponseImage {
  url: string;
  w?: number;
  h?: number;
  type?: number;
}

export interface Link {
  url: string;
  clicktrackers?: readonly string[];
  fallback?: string;
}

/** `url` is absent only for a method of a vendor. */
export interface EventTracker {
  event: number;
  method: number;
  url?: string;
  customdata?: Record<string, string>;
}
