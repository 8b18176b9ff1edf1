export { dropReceipt, keepReceipt, openReceipt, sealAnswer, type ReceiptDeps } from './receipts.ts';
