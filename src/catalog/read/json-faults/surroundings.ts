/** The text on both sides of the point at which the parser fails. */
export interface Surroundings {
  before: string;
  after: string;
}

/** What is wrong there, and the number of UTF-16 units by which it begins before that point. */
export interface Fault {
  back: number;
  message: string;
}
