#pragma once

namespace warpwise::machine {

/// The level of a mipmap at which one texel covers the distance between neighbouring pixels.
/// @param gradients in texels of the first level: by how much the place moves from one pixel to the
/// next in two directions. A value that is not a number counts as none.
/// @return in steps of 1/256; below 0 where texels are larger than pixels.
float level_of_gradients(const double (&gradients)[2][3]);

/// How far a place on the faces of a cube moves, in whole faces, where its direction does.
void move_on_cube(const float (&direction)[3], const float (&change)[3], double (&moved)[3]);

}  // namespace warpwise::machine
