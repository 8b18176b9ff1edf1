declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  interface TessBaseApi {
    /** 0 on success. */
    Init(folder: null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): void;
    /** Reads the file `/input`; 0 on success. */
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    Clear(): void;
  }
  interface Tesseract {
    readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
    readonly TessBaseAPI: new () => TessBaseApi;
  }
  const load: (options: object) => Promise<Tesseract>;
  export default load;
  export type { TessBaseApi, Tesseract };
}
