export {
  dropReceipt,
  extendReceipt,
  keepReceipt,
  keyedFingerprint,
  openReceipt,
  sealAnswer,
  sweepReceipts,
  type ReceiptDeps,
} from './receipts.ts';
