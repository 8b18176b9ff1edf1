/**
 * Passwords that attackers try first.
 *
 * Contract (contract-tests/suites/common-passwords.ts):
 * - `has` returns whether the password is among the 10 000 most used, ignoring case.
 */
export interface CommonPasswords {
  has(password: string): Promise<boolean>;
}
