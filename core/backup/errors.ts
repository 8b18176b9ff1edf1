/** A backup cannot be made, or cannot be restored here. The message is a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
