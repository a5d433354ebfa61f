#pragma once

namespace warpwise::cudart {

/// What a program lets its graphs own: counted references and a destructor.
struct UserObject;

void retain(UserObject* object, unsigned count);
/// The last reference calls the destructor.
void release(UserObject* object, unsigned count);

}  // namespace warpwise::cudart
