/** A backup can not be made, or is none that can be restored here. The message is a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
