import { AppError } from '../../domain/errors.ts';

/** What operators are told when they name something that is not there. */

export function noSuchOrganization(reference: string): AppError {
  return absent(`organization "${reference}"`, 'vitrine org list');
}

export function noSuchShop(reference: string): AppError {
  return absent(`shop "${reference}"`, 'vitrine shop list');
}

export function noSuchKey(id: string): AppError {
  return absent(`key "${id}"`, 'vitrine key list');
}

function absent(what: string, command: string): AppError {
  return new AppError('not_found', `There is no ${what}. "${command}" lists what there is.`);
}
