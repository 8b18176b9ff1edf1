export {
  dropReceipt,
  extendReceipt,
  keepReceipt,
  openReceipt,
  sealAnswer,
  type ReceiptDeps,
} from './receipts.ts';
