/** How an operation changes a cookie of the browser that called it. */
export type CookieChange =
  | { readonly kind: 'set'; readonly secret: string; readonly maxAgeSeconds: number }
  | { readonly kind: 'clear' };
